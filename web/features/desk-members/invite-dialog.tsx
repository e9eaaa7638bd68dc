import { type MemberType, memberTypes } from '@atrium/contract/access/scopes.ts'
import { formatLocales, languageName } from '@atrium/contract/languages.ts'
import { limits } from '@atrium/contract/limits.ts'
import { allCountries } from '@atrium/contract/members/countries.ts'
import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { PhoneInput } from '../../ui/fields/phone-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { typeLabels } from './member-labels.ts'
import { useInvite } from './use-members.ts'

type InviteDialogProps = {
  /** True if the invited member may be a sales person. */
  maySell: boolean
  onInvited: (id: string) => void
  onClose: () => void
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

const labels = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  country: 'Country',
  language: 'Format of numbers and dates',
}

/** Creates a member and emails a link to set the first password, so that staff never choose or see it. */
export function InviteDialog({ maySell, onInvited, onClose }: InviteDialogProps) {
  const { t } = useTranslation()
  const invite = useInvite()
  const countries = useMemo(() => allCountries().map(({ _id, name }) => ({ value: _id, label: name })), [])
  const languages = useMemo(() => formatLocales.map((tag) => ({ value: tag, label: languageName(tag) })), [])
  const form = useCallForm({
    start: nobody,
    labels,
    check: (person) =>
      Object.fromEntries(
        (['first_name', 'last_name', 'email', 'country'] as const)
          .filter((name) => !person[name]?.trim())
          .map((name) => [name, ['Please fill in this field.']]),
      ),
    key: 'own',
    send: ({ phone, country, language, ...rest }, { key }) =>
      invite.mutateAsync({
        ...rest,
        idempotency_key: key,
        country: country ?? '',
        language: formatLocales.find((tag) => tag === language) ?? null,
        ...(phone.trim() !== '' && { phone }),
      }),
    onDone: (member) => {
      toast.done(t('An invitation is on its way to {{email}}.', { email: member.email }))
      onClose()
      onInvited(member._id)
    },
  })
  const { values, errorOf, change } = form
  return (
    <CallDialog
      form={form}
      title={t('Invite a member')}
      label={t('Invite a member')}
      size={520}
      submit={t('Send invitation')}
      onClose={onClose}
    >
      {(['first_name', 'last_name', 'email'] as const).map((name, at) => (
        <TextInput
          key={name}
          label={t(labels[name])}
          description={
            name === 'email' &&
            t('A link to set a password goes there. It works once, for {{days}} days.', { days: limits.invitationDays })
          }
          type={name === 'email' ? 'email' : 'text'}
          withAsterisk
          data-autofocus={at === 0 || undefined}
          autoComplete="off"
          error={errorOf(name)}
          value={values[name]}
          onChange={(event) => change({ [name]: event.currentTarget.value })}
        />
      ))}
      <PhoneInput
        label={t(labels.phone)}
        error={errorOf('phone')}
        value={values.phone}
        onChange={(phone) => change({ phone })}
      />
      <Select
        label={t(labels.country)}
        withAsterisk
        searchable
        data={countries}
        error={errorOf('country')}
        value={values.country}
        onChange={(country) => change({ country })}
      />
      <Select
        label={t(labels.language)}
        placeholder={t('Same as the browser')}
        searchable
        clearable
        data={languages}
        error={errorOf('language')}
        value={values.language}
        onChange={(language) => change({ language })}
      />
      {maySell && (
        <Select
          label={t('Type')}
          allowDeselect={false}
          data={memberTypes.map((value) => ({ value, label: t(typeLabels[value]) }))}
          value={values.type}
          onChange={(type) => change({ type: memberTypes.find((each) => each === type) ?? 'client' })}
        />
      )}
    </CallDialog>
  )
}
