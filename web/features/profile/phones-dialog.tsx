import { limits } from '@atrium/contract/limits.ts'
import { phonesInput, saveContacts } from '@atrium/contract/members/calls.ts'
import { shownPhone } from '@atrium/contract/validators/phone.ts'
import { ActionIcon, Button, Radio } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { PhoneInput } from '../../ui/fields/phone-input.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { useReportDirty } from '../../ui/forms/use-report-dirty.ts'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DialogButtons, SaveProblem } from './dialog-parts.tsx'
import parts from './profile-dialogs.module.css'
import type { Profile } from './use-profile.ts'
import { isConflict, useSaveProfile } from './use-save-profile.ts'

type PhonesDialogProps = { profile: Profile; isOpen: boolean; onClose: () => void }

export function PhonesDialog({ profile, isOpen, onClose }: PhonesDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog title={t('Phone numbers')} size={520} isOpen={isOpen} onClose={onClose}>
      {(tools) => <PhonesForm profile={profile} tools={tools} />}
    </FormDialog>
  )
}

type Entry = { key: number; phone: string }

const nameOf = (index: number, t: TFunction) => t('Phone number {{number}}', { number: index + 1 })

function usePhones(profile: Profile, { onSaved, onDirty }: DialogTools) {
  const { t } = useTranslation()
  const { form, announce } = useWrongFields()
  const first = profile.phones.length > 0 ? profile.phones.map(shownPhone) : ['']
  const [entries, setEntries] = useState<Entry[]>(() => first.map((phone, key) => ({ key, phone })))
  const [primary, setPrimary] = useState(0)
  const [errors, setErrors] = useState<Record<number, string>>({})
  const [error, setError] = useState<Error | null>(null)
  // The profile at the opening of the form, until a conflict shows a newer one.
  const [opened] = useState(profile)
  const { save, isSaving } = useSaveProfile(saveContacts)

  const filled = entries.filter(({ phone }) => phone.trim() !== '')
  const ordered = [...filled.filter(({ key }) => key === primary), ...filled.filter(({ key }) => key !== primary)]
  const phones = ordered.map(({ phone }) => phone.trim())
  const isDirty = JSON.stringify(phones) !== JSON.stringify(opened.phones.map(shownPhone))
  useReportDirty(isDirty, onDirty)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = phonesInput.safeParse(phones)
    const issues = parsed.error?.issues ?? []
    const wrong = issues.map(({ path, message }): [number, string] => [
      ordered[Number(path[0] ?? 0)]?.key ?? 0,
      message,
    ])
    setErrors(Object.fromEntries(wrong))
    const isWrong = ({ key }: Entry) => wrong.some(([each]) => each === key)
    announce(entries.flatMap((entry, index) => (isWrong(entry) ? [nameOf(index, t)] : [])))
    if (!parsed.success) return
    const { profile_version: version } = isConflict(error) ? profile : opened
    save({ version, phones }, { onSaved, onRefused: setError })
  }
  const change = (key: number, phone: string) => {
    setEntries((before) => before.map((entry) => (entry.key === key ? { key, phone } : entry)))
    setErrors(({ [key]: _, ...others }) => others)
  }
  const add = () =>
    setEntries((before) => [...before, { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, phone: '' }])
  const remove = (key: number) => {
    const left = entries.filter((entry) => entry.key !== key)
    setEntries(left)
    if (primary === key) setPrimary(left[0]?.key ?? 0)
  }
  return { form, entries, primary, setPrimary, errors, error, isSaving, submit, change, add, remove }
}

function PhonesForm({ profile, tools }: { profile: Profile; tools: DialogTools }) {
  const { t } = useTranslation()
  const form = usePhones(profile, tools)
  return (
    <form ref={form.form} className={parts.form} onSubmit={form.submit} noValidate>
      <p className={parts.note}>
        {form.entries.length > 1
          ? t('With the country code. We call the primary one first.')
          : t('With the country code, so that we can reach you.')}
      </p>
      <ul className={parts.entries}>
        {form.entries.map(({ key, phone }, index) => (
          <li key={key} className={parts.entry}>
            <PhoneInput
              aria-label={nameOf(index, t)}
              value={phone}
              error={form.errors[key] && t(form.errors[key])}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              onChange={(next) => form.change(key, next)}
            />
            {form.entries.length > 1 && (
              <Radio
                name="primary-phone"
                label={t('Primary')}
                checked={form.primary === key}
                onChange={() => form.setPrimary(key)}
              />
            )}
            <ActionIcon
              aria-label={t('Remove phone number {{number}}', { number: index + 1 })}
              onClick={() => form.remove(key)}
            >
              <IconTrash size={18} stroke={1.5} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {form.entries.length < limits.phonesMax && (
        <Button variant="default" leftSection={<IconPlus size={18} stroke={1.5} />} onClick={form.add}>
          {t('Add a phone number')}
        </Button>
      )}
      <SaveProblem error={form.error} now={profile.phones.map(shownPhone).join(', ')} />
      <DialogButtons isSaving={form.isSaving} onCancel={tools.onCancel} />
    </form>
  )
}
