import { limits } from '@atrium/contract/limits.ts'
import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/state.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { RetentionFields } from './retention-fields.tsx'
import { SecondFactorFields } from './second-factor-fields.tsx'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-workspace.ts'

const recommended = limits.passwordCharsCeiling

export function SecuritySection() {
  const { t } = useTranslation()
  const form = useSection('security')
  const { values, change, errorOf } = form
  return (
    <SectionForm title={t('Security')} help={t('For members and staff alike.')} form={form}>
      <NumberField
        label={t('Maximum password length')}
        description={t('For sign-in, reset and change. Characters, from 20 to 128.')}
        value={values.password_chars_max}
        error={errorOf('password_chars_max')}
        onChange={(count) => change({ password_chars_max: count ?? Number.NaN })}
      />
      {values.password_chars_max < recommended && (
        <Callout meaning="amber">
          {t('We recommend {{count}}, which leaves room for passphrases and password managers.', {
            count: recommended,
          })}{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              change({ password_chars_max: recommended })
            }}
          >
            {t('Raise to {{count}}', { count: recommended })}
          </Button>
        </Callout>
      )}
      <NumberField
        label={t('Idle time')}
        description={t(
          'Minutes of inactivity until somebody is signed out, from 5 to 30. Leave empty for the default of the installation.',
        )}
        value={values.session_idle_minutes}
        error={errorOf('session_idle_minutes')}
        onChange={(minutes) => change({ session_idle_minutes: minutes })}
      />
      <NumberField
        label={t('Maximum session length')}
        description={t(
          'Hours until everybody signs in again, from 1 to 12. Leave empty for the default of the installation.',
        )}
        value={values.session_hours_max}
        error={errorOf('session_hours_max')}
        onChange={(hours) => change({ session_hours_max: hours })}
      />
      <SecondFactorFields values={values} change={change} />
      <NumberField
        label={t('Cooling-off period (hours)')}
        description={t(
          'Hours in which nothing is paid to a bank account or wallet that a member has just added or changed, from 0 to 168. Recommended: 24.',
        )}
        value={values.destination_rest_hours}
        error={errorOf('destination_rest_hours')}
        onChange={(hours) => change({ destination_rest_hours: hours ?? Number.NaN })}
      />
      <NumberField
        label={t('Maximum length of account holder and bank name')}
        description={t('Characters of a member’s bank account, from 50 to 140. Payments carry up to 140.')}
        value={values.bank_name_chars_max}
        error={errorOf('bank_name_chars_max')}
        onChange={(count) => change({ bank_name_chars_max: count ?? Number.NaN })}
      />
      <RetentionFields values={values} change={change} errorOf={errorOf} />
    </SectionForm>
  )
}
