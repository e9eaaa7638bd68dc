import type { Setting } from '@atrium/contract/payments/providers.ts'
import { day } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import { PasswordInput } from './password-input.tsx'
import { Select } from './select.tsx'
import { Textarea } from './text-area.tsx'
import { TextInput } from './text-input.tsx'

type SettingInputProps = {
  setting: Setting
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** One setting, rendered from its adapter's description. A stored secret can be replaced, but is never shown. */
export function SettingInput({ setting, value, error, onChange }: SettingInputProps) {
  const { t } = useTranslation()
  const { label, help, choices, usual, is_secret, is_long } = setting
  const common = {
    label: t(label),
    description: t(help),
    value,
    error,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (is_secret)
    return (
      <PasswordInput
        {...common}
        description={<SecretHint setting={setting} />}
        autoComplete="new-password"
        charsMax={500}
      />
    )
  if (choices)
    return (
      <Select
        label={t(label)}
        description={t(help)}
        error={error}
        allowDeselect={false}
        data={choices}
        value={value || usual}
        onChange={(choice) => onChange(choice ?? '')}
      />
    )
  if (is_long) return <Textarea {...common} placeholder={usual} autosize minRows={2} maxRows={8} charsMax={8_000} />
  return <TextInput {...common} placeholder={usual} charsMax={2_000} />
}

function SecretHint({ setting: { help, is_set, set_at } }: { setting: Setting }) {
  const { t } = useTranslation()
  const since = set_at === null ? t('Set.') : t('Set on {{date}}.', { date: day(set_at) })
  return (
    <>
      {t(help)} {is_set && `${since} ${t('Leave it empty to keep it.')}`}
    </>
  )
}
