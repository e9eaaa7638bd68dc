import { formatLocales, languageName } from '@atrium/contract/languages.ts'
import { colourSchemes, savePreferences } from '@atrium/contract/members/calls.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { type Language, languages } from '@atrium/contract/text-languages.ts'
import { Checkbox, Input, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { serverNow } from '../../api/transport.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { useKeysChoice } from '../../ui/layout/keyboard.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { exactTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { currentZoneName, timeZoneChoices } from './time-zones.ts'
import type { Profile } from './use-profile.ts'
import { useSaveProfile } from './use-save-profile.ts'

const schemeNames = { auto: 'Same as the device', light: 'Light', dark: 'Dark' } as const
const asBrowser = 'browser'

/** A sample of the format, so that it is not mistaken for the language of the texts. */
function localeLabel(tag: string): string {
  const example = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.UTC(2026, 10, 24))
  return `${languageName(tag)}: ${formatAmount('1234.5', 'EUR', tag)}, ${example}`
}

/** Saves each choice immediately. */
export function Preferences({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const [areKeysOn, turnKeys] = useKeysChoice()
  const { save, isSaving, problem } = useSaveProfile(savePreferences)
  const { text_language, language, time_zone, colour_scheme, profile_version: version } = profile
  const choose = (change: object) =>
    save({
      version,
      text_language: text_language as Language | null,
      language: language as (typeof formatLocales)[number] | null,
      time_zone,
      colour_scheme: colour_scheme as (typeof colourSchemes)[number] | null,
      ...change,
    })
  const locales = useMemo(() => formatLocales.map((tag) => ({ value: tag, label: localeLabel(tag) })), [])
  const zones = useMemo(
    () => timeZoneChoices(time_zone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [time_zone],
  )
  const browser = { value: asBrowser, label: t('Same as the browser') }
  const pick = (name: string) => (value: string | null) =>
    value && choose({ [name]: value === asBrowser ? null : value })
  return (
    <Section title={t('Language and display')}>
      <Card data-stack="lg" data-pad="lg">
        <Select
          label={t('Language')}
          readOnly={isSaving}
          data={[browser, ...languages.map((tag) => ({ value: tag, label: languageName(tag) }))]}
          value={text_language ?? asBrowser}
          onChange={pick('text_language')}
        />
        <Select
          label={t('Format of numbers and dates')}
          searchable
          readOnly={isSaving}
          data={[browser, ...locales]}
          value={language ?? asBrowser}
          onChange={pick('language')}
        />
        <Select
          label={t('Time zone')}
          description={t('Your time is {{time}}.', { time: exactTime(serverNow()) })}
          searchable
          limit={100}
          readOnly={isSaving}
          data={[browser, ...zones]}
          value={time_zone === null ? asBrowser : currentZoneName(time_zone)}
          onChange={pick('time_zone')}
        />
        <Input.Wrapper label={t('Appearance')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('Appearance')}
            readOnly={isSaving}
            data={colourSchemes.map((scheme) => ({ value: scheme, label: t(schemeNames[scheme]) }))}
            value={colour_scheme ?? 'auto'}
            onChange={(scheme) => choose({ colour_scheme: scheme })}
          />
        </Input.Wrapper>
        <Checkbox
          label={t('Keyboard shortcuts in lists')}
          description={t('J and K move between rows, and ? shows all shortcuts. This choice applies to this browser.')}
          checked={areKeysOn}
          onChange={(event) => turnKeys(event.currentTarget.checked)}
        />
        <Refusal messages={problem} isUnknown={false} />
      </Card>
    </Section>
  )
}
