import { limits } from '@atrium/contract/limits.ts'
import { phonesInput, saveContacts } from '@atrium/contract/members/calls.ts'
import { shownPhone } from '@atrium/contract/validators/phone.ts'
import { ActionIcon, Button, Radio } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { isConflict } from '../../api/api-error.ts'
import { schemaErrors } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { PhoneInput } from '../../ui/fields/phone-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import type { TFunction } from '../../ui/text/i18n.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SaveProblem } from './dialog-parts.tsx'
import parts from './profile-dialogs.module.css'
import type { Profile } from './use-profile.ts'
import { useOpenedProfile, useSaveProfile } from './use-save-profile.ts'

type Entry = { key: number; phone: string }
type Values = { entries: Entry[]; primary: number }

const nameOf = (index: number, t: TFunction) => t('Phone number {{number}}', { number: index + 1 })
/** A field is the place of its entry. */
const fields = Array.from({ length: limits.phonesMax }, (_, index) => `${index}`)

/** The filled entries as they are saved, the primary one first. */
function orderedOf({ entries, primary }: Values): Entry[] {
  const filled = entries.filter(({ phone }) => phone.trim() !== '')
  return [...filled.filter(({ key }) => key === primary), ...filled.filter(({ key }) => key !== primary)]
}
const phonesOf = (values: Values) => orderedOf(values).map(({ phone }) => phone.trim())

/** The field of an error; an error about all numbers is shown at the first. */
function fieldAt(values: Values, name: string): string {
  const wrong = orderedOf(values)[Number(/\d+$/.exec(name)?.[0] ?? 0)]
  return `${wrong ? values.entries.indexOf(wrong) : 0}`
}

function usePhones(profile: Profile, onDone: () => void) {
  const { t } = useTranslation()
  const { opened, base, onRefused } = useOpenedProfile(profile)
  const { send } = useSaveProfile(saveContacts)
  const first = opened.phones.length > 0 ? opened.phones.map(shownPhone) : ['']
  const form = useCallForm<Values, string, unknown>({
    start: { entries: first.map((phone, key) => ({ key, phone })), primary: 0 },
    labels: Object.fromEntries(fields.map((field, index) => [field, nameOf(index, t)])),
    fieldsOf: { entries: fields },
    fieldFor: (name, values) => (name.startsWith('phones') ? fieldAt(values, name) : null),
    isEdited: (values) => `${phonesOf(values)}` !== `${opened.phones.map(shownPhone)}`,
    check: (values) => schemaErrors(phonesInput, phonesOf(values), (name) => fieldAt(values, name)),
    send: (values) => send({ version: base().profile_version, phones: phonesOf(values) }),
    onDone,
    onRefused,
  })
  const { entries, primary } = form.values
  return {
    ...form,
    set: (key: number, phone: string) =>
      form.change({ entries: entries.map((entry) => (entry.key === key ? { key, phone } : entry)) }),
    add: () =>
      form.change({ entries: [...entries, { key: Math.max(-1, ...entries.map(({ key }) => key)) + 1, phone: '' }] }),
    remove(key: number) {
      const left = entries.filter((entry) => entry.key !== key)
      form.change({ entries: left, ...(primary === key && { primary: left[0]?.key ?? 0 }) })
    },
  }
}

type PhonesDialogProps = { profile: Profile; onClose: () => void }

export function PhonesDialog({ profile, onClose }: PhonesDialogProps) {
  const { t } = useTranslation()
  const form = usePhones(profile, onClose)
  const { entries, primary } = form.values
  const focus = useRowFocus<HTMLUListElement>()
  const conflict = isConflict(form.error) ? form.error : null
  return (
    <CallDialog
      form={{ ...form, refusal: conflict ? [] : form.refusal }}
      title={t('Phone numbers')}
      size={520}
      submit={t('Save')}
      onClose={onClose}
    >
      <UnsentInput form="phones" values={form.values} isDirty={form.isDirty} onRestore={form.change} />
      <p className={parts.note}>
        {entries.length > 1
          ? t('With the country code. We call the primary one first.')
          : t('With the country code, so that we can reach you.')}
      </p>
      <ul ref={focus.list} className={parts.entries} data-stack="md">
        {entries.map(({ key, phone }, index) => (
          <li key={key} className={parts.entry}>
            <PhoneInput
              aria-label={nameOf(index, t)}
              value={phone}
              error={form.errorOf(`${index}`)}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              onChange={(next) => form.set(key, next)}
            />
            {entries.length > 1 && (
              <Radio
                name="primary-phone"
                label={t('Primary')}
                checked={primary === key}
                onChange={() => form.change({ primary: key })}
              />
            )}
            <ActionIcon
              aria-label={t('Remove phone number {{number}}', { number: index + 1 })}
              onClick={() => focus.removed(index, () => form.remove(key))}
            >
              <IconTrash size={18} stroke={1.5} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {entries.length < limits.phonesMax && (
        <Button
          ref={focus.adding}
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.5} />}
          onClick={() => focus.added(form.add)}
        >
          {t('Add a phone number')}
        </Button>
      )}
      <SaveProblem error={conflict} now={profile.phones.map(shownPhone).join(', ')} />
    </CallDialog>
  )
}
