import type { StaffRole } from '@atrium/contract/desk-rights.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { RoleChoice } from './role-choice.tsx'
import parts from './staff-desk.module.css'
import { useStaffDeed } from './use-staff.ts'

const nobody = { name: '', email: '', role: 'support' as StaffRole }

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [person, setPerson] = useState(nobody)
  const deed = useStaffDeed()
  const fields = deed.error instanceof ApiError ? deed.error.fieldErrors : {}
  const wordsOf = (field: string) => fields[field]?.map((message) => t(message)).join(' ')
  const close = () => {
    deed.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (deed.isPending) return
    deed.mutate(
      { deed: 'invite', ...person },
      {
        onSuccess: () => {
          notice.done(t('An invitation is on its way to {{email}}.', { email: person.email }))
          setPerson(nobody)
          close()
        },
      },
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('Invite a colleague')}
      size={480}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate aria-label={t('Invite a colleague')}>
        {deed.error && Object.keys(fields).length === 0 && <Callout meaning="red">{t(deed.error.message)}</Callout>}
        <TextInput
          label={t('Name')}
          data-autofocus
          charsMax={limits.staffNameCharsMax}
          value={person.name}
          error={wordsOf('name')}
          onChange={(event) => setPerson({ ...person, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('Email')}
          description={t('A link to set a password goes there. It works once, for {{days}} days.', {
            days: limits.invitationDays,
          })}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          charsMax={limits.loginEmailCharsMax}
          value={person.email}
          error={wordsOf('email')}
          onChange={(event) => setPerson({ ...person, email: event.currentTarget.value })}
        />
        <RoleChoice
          value={person.role}
          error={wordsOf('role') ?? null}
          onChange={(role) => setPerson({ ...person, role })}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={deed.isPending}>
            {t('Send invitation')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
