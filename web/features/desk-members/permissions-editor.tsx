import { type Features, memberPermissions } from '@atrium/contract/access/scopes.ts'
import { permitMember } from '@atrium/contract/members/desk-calls.ts'
import { Button, Switch } from '@mantine/core'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import { permissionLabel, type Reach, reachOf } from './member-labels.ts'
import { type DeskMember, useMemberAct } from './use-members.ts'
import { usePermissionsForm } from './use-permissions-form.ts'

const reachLabels: Record<Reach, string> = {
  open: 'open',
  denied: 'not for this member',
  off: 'off for everybody',
}

/** The member's permissions in words; a denial applies from the member's next request. */
export function PermissionsEditor({ member, mayEdit }: { member: DeskMember; mayEdit: boolean }) {
  const { t } = useTranslation()
  const permit = useMemberAct(permitMember, member._id)
  const form = usePermissionsForm(member.permissions, async (changed) => {
    const saved = await permit.mutateAsync(changed)
    return saved.member.permissions
  })
  const { denied, taken, given, isDirty, isSubmitting } = form
  useUnsavedGuard({ isDirty, onLeave: form.undo })
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
            disabled={!mayEdit || isSubmitting}
            onChange={(event) => form.allow(key, event.currentTarget.checked)}
          />
        )
      })}
      {isDirty && (
        <Callout meaning="blue">
          {taken.length > 0 && (
            <p>{t('Denied to {{name}} once saved: {{list}}.', { name: member.name, list: inWords(taken) })}</p>
          )}
          {given.length > 0 && (
            <p>{t('Allowed again for {{name}} once saved: {{list}}.', { name: member.name, list: inWords(given) })}</p>
          )}
        </Callout>
      )}
      {form.isChangedElsewhere && (
        <Callout meaning="amber">
          {t('These permissions have changed in the meantime. Your changes are kept on top of them.')}
        </Callout>
      )}
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      {isDirty && (
        <div data-group="sm" data-align="center">
          <Button size="xs" loading={isSubmitting} onClick={() => form.submit()}>
            {t('Save permissions')}
          </Button>
          <Button size="xs" variant="default" disabled={isSubmitting} onClick={form.undo}>
            {t('Discard changes')}
          </Button>
        </div>
      )}
    </div>
  )
}
