import { allCountries } from '@atrium/contract/countries.ts'
import { formatLocales, languageName } from '@atrium/contract/languages.ts'
import { limits } from '@atrium/contract/limits.ts'
import { type MemberType, memberTypes } from '@atrium/contract/scopes.ts'
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { PhoneInput } from '../../ui/phone-input.tsx'
import { Select } from '../../ui/select.tsx'
import { Callout } from '../../ui/state.tsx'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import parts from './member-detail.module.css'
import { typeWords } from './member-words.ts'
import { useInvite } from './use-members.ts'

type InviteDialogProps = {
  /** Whether a sales person may be invited, too. */
  maySell: boolean
  onInvited: (id: string) => void
  onClose: () => void
}

/** Makes a member and sends a link to set the first password: nobody at the desk chooses or sees one. */
export function InviteDialog({ onClose, ...more }: InviteDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog title={t('Invite a member')} size={520} isOpen onClose={onClose}>
      {(tools) => <InviteForm {...more} {...tools} />}
    </FormDialog>
  )
}

const nobody = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  country: null as string | null,
  language: null as string | null,
  type: 'client' as MemberType,
}

type InviteFormProps = Omit<InviteDialogProps, 'onClose'> & DialogTools

function InviteForm({ maySell, onInvited, onCancel, onSaved, onDirty }: InviteFormProps) {
  const { t } = useTranslation()
  const invite = useInvite()
  const [person, setPerson] = useState(nobody)
  const [isTried, setTried] = useState(false)
  // Of this form: two clicks make one member.
  const [idempotency_key] = useState(() => crypto.randomUUID())
  const wrong = useWrongFields()
  const countries = useMemo(() => allCountries().map(({ _id, name }) => ({ value: _id, label: name })), [])
  const languages = useMemo(() => formatLocales.map((tag) => ({ value: tag, label: languageName(tag) })), [])
  useTellDirty(person !== nobody, onDirty)
  const labels = {
    first_name: t('First name'),
    last_name: t('Last name'),
    email: t('Email'),
    phone: t('Phone'),
    country: t('Country'),
    language: t('Format of numbers and dates'),
  }
  const refused = invite.error instanceof ApiError ? invite.error.fieldErrors : {}
  const missing = (['first_name', 'last_name', 'email', 'country'] as const).filter((name) => !person[name]?.trim())
  const errorOf = (name: keyof typeof labels) => {
    if (refused[name]) return refused[name].map((message) => t(message)).join(' ')
    return isTried && missing.some((each) => each === name) ? t('Please fill in this field.') : undefined
  }
  const put = (part: Partial<typeof nobody>) => setPerson((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (invite.isPending) return
    if (missing.length > 0) return wrong.tell(missing.map((name) => labels[name]))
    const { phone, country, language, ...rest } = person
    invite.mutate(
      {
        ...rest,
        idempotency_key,
        country: country ?? '',
        language: formatLocales.find((tag) => tag === language) ?? null,
        ...(phone.trim() !== '' && { phone }),
      },
      {
        onSuccess: (member) => {
          notice.done(t('An invitation is on its way to {{email}}.', { email: member.email }))
          onSaved()
          onInvited(member._id)
        },
        onError: (error) =>
          wrong.tell(
            Object.keys(error instanceof ApiError ? error.fieldErrors : {}).flatMap((name) =>
              name in labels ? [labels[name as keyof typeof labels]] : [],
            ),
          ),
      },
    )
  }
  const isElsewhere = invite.error && !Object.keys(refused).some((name) => name in labels)
  return (
    <form ref={wrong.form} className={parts.form} onSubmit={submit} noValidate aria-label={t('Invite a member')}>
      {(['first_name', 'last_name', 'email'] as const).map((name, at) => (
        <TextInput
          key={name}
          label={labels[name]}
          description={
            name === 'email' &&
            t('A link to set a password goes there. It works once, for {{days}} days.', { days: limits.invitationDays })
          }
          type={name === 'email' ? 'email' : 'text'}
          withAsterisk
          data-autofocus={at === 0 || undefined}
          autoComplete="off"
          error={errorOf(name)}
          value={person[name]}
          onChange={(event) => put({ [name]: event.currentTarget.value })}
        />
      ))}
      <PhoneInput
        label={labels.phone}
        error={errorOf('phone')}
        value={person.phone}
        onChange={(phone) => put({ phone })}
      />
      <Select
        label={labels.country}
        withAsterisk
        searchable
        data={countries}
        error={errorOf('country')}
        value={person.country}
        onChange={(country) => put({ country })}
      />
      <Select
        label={labels.language}
        placeholder={t('As the browser has it')}
        searchable
        clearable
        data={languages}
        error={errorOf('language')}
        value={person.language}
        onChange={(language) => put({ language })}
      />
      {maySell && (
        <Select
          label={t('Type')}
          allowDeselect={false}
          data={memberTypes.map((value) => ({ value, label: t(typeWords[value]) }))}
          value={person.type}
          onChange={(type) => put({ type: memberTypes.find((each) => each === type) ?? 'client' })}
        />
      )}
      {isElsewhere && <Callout meaning="red">{t(invite.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={invite.isPending} onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={invite.isPending}>
          {t('Send invitation')}
        </Button>
      </Group>
    </form>
  )
}
