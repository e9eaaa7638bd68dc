import { type Features, memberPermissions } from '@atrium/contract/access/scopes.ts'
import { permitMember } from '@atrium/contract/members/desk-calls.ts'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { deniedIn, permissionLabel, type Reach, reachOf } from './member-labels.ts'
import { type DeskMember, useMemberAct } from './use-members.ts'

const reachLabels: Record<Reach, string> = {
  open: 'open',
  denied: 'not for this member',
  off: 'off for everybody',
}

/** The member's permissions in words; a denial applies from the member's next request. */
export function PermissionsEditor({ member, mayEdit }: { member: DeskMember; mayEdit: boolean }) {
  const { t } = useTranslation()
  const before = deniedIn(member.permissions)
  const [denied, setDenied] = useState(before)
  const permit = useMemberAct(permitMember, member._id)
  const taken = denied.filter((key) => !before.includes(key))
  const given = before.filter((key) => !denied.includes(key))
  const isChanged = taken.length + given.length > 0
  const save = () =>
    permit.mutateAsync({ denied: denied as (typeof memberPermissions)[number][], seen: member.permissions }).then(
      () => toast.done(t('Saved. It takes effect with the member’s next action.')),
      () => undefined, // The error appears below the switches.
    )
  const inWords = (keys: string[]) => keys.map((key) => t(permissionLabel(key)).toLowerCase()).join(', ')
  return (
    <div className={parts.permissions} data-stack="md" data-align="start">
      {memberPermissions.map((key) => {
        const reach = reachOf(key, denied, member.features as Features)
        return (
          <Switch
            key={key}
            size="xs"
            label={t(permissionLabel(key))}
            description={reach === 'off' ? t(reachLabels.off) : undefined}
            checked={!denied.includes(key)}
            disabled={!mayEdit || permit.isPending}
            onChange={(event) => {
              const isAllowed = event.currentTarget.checked
              setDenied((now) => (isAllowed ? now.filter((each) => each !== key) : [...now, key]))
            }}
          />
        )
      })}
      {isChanged && (
        <Callout meaning="blue">
          {taken.length > 0 && (
            <p>{t('Denied to {{name}} once saved: {{list}}.', { name: member.name, list: inWords(taken) })}</p>
          )}
          {given.length > 0 && (
            <p>{t('Allowed again for {{name}} once saved: {{list}}.', { name: member.name, list: inWords(given) })}</p>
          )}
        </Callout>
      )}
      {permit.error && <Callout meaning="red">{t(permit.error.message)}</Callout>}
      {isChanged && (
        <div data-group="sm" data-align="center">
          <Button size="xs" loading={permit.isPending} onClick={save}>
            {t('Save permissions')}
          </Button>
          <Button size="xs" variant="default" disabled={permit.isPending} onClick={() => setDenied(before)}>
            {t('Discard changes')}
          </Button>
        </div>
      )}
    </div>
  )
}
