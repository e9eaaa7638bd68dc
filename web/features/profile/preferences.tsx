import { languageName, languageTags } from '@atrium/contract/languages.ts'
import { colourSchemes, savePreferences } from '@atrium/contract/members.ts'
import { Input, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../ui/format.ts'
import { Card, Section } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import parts from './profile-parts.module.css'
import { currentZoneName, timeZoneChoices } from './time-zones.ts'
import type { Profile } from './use-profile.ts'
import { useSaveProfile } from './use-save-profile.ts'

const schemeNames = { auto: 'As the device', light: 'Light', dark: 'Dark' } as const
const asBrowser = 'browser'

/** Saved as soon as it is chosen: there is nothing to get wrong, and it is seen at once. */
export function Preferences({ profile }: { profile: Profile }) {
  const { t } = useTranslation()
  const { save, isSaving } = useSaveProfile(savePreferences)
  const { language, time_zone, colour_scheme, profile_version: version } = profile
  const choose = (change: object) =>
    save({
      version,
      language: language as (typeof languageTags)[number] | null,
      time_zone,
      colour_scheme: colour_scheme as (typeof colourSchemes)[number] | null,
      ...change,
    })
  const languages = useMemo(() => languageTags.map((tag) => ({ value: tag, label: languageName(tag) })), [])
  const zones = useMemo(
    () => timeZoneChoices(time_zone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [time_zone],
  )
  const browser = { value: asBrowser, label: t('As the browser') }
  const pick = (name: string) => (value: string | null) =>
    value && choose({ [name]: value === asBrowser ? null : value })
  return (
    <Section title={t('Language and display')}>
      <Card className={parts.preferences}>
        <Select
          label={t('Language of numbers and dates')}
          description={t('Texts follow where they are translated, and are in English otherwise.')}
          searchable
          disabled={isSaving}
          data={[browser, ...languages]}
          value={language ?? asBrowser}
          onChange={pick('language')}
        />
        <Select
          label={t('Time zone')}
          description={t('Your time is {{time}}.', { time: exactTime(Date.now()) })}
          searchable
          limit={100}
          disabled={isSaving}
          data={[browser, ...zones]}
          value={time_zone === null ? asBrowser : currentZoneName(time_zone)}
          onChange={pick('time_zone')}
        />
        <Input.Wrapper label={t('Colours')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('Colours')}
            disabled={isSaving}
            data={colourSchemes.map((scheme) => ({ value: scheme, label: t(schemeNames[scheme]) }))}
            value={colour_scheme ?? 'auto'}
            onChange={(scheme) => choose({ colour_scheme: scheme })}
          />
        </Input.Wrapper>
      </Card>
    </Section>
  )
}
