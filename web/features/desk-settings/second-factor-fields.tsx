import { type SectionValues, secondFactorRules } from '@atrium/contract/workspace-settings/desk-calls.ts'
import { Checkbox, Radio } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './settings.module.css'

type Rule = (typeof secondFactorRules)[number]
type Values = SectionValues<'security'>
type SecondFactorFieldsProps = { values: Values; change: (part: Partial<Values>) => void }

const labels: Record<Rule, string> = { optional: 'Optional', required: 'Required' }

const memberLabels: Record<Rule, string> = {
  optional:
    'Members may set up an authenticator app or a passkey; without one, the password alone is enough to sign in.',
  required: 'Members without one must set it up before they can continue.',
}

const staffLabels: Record<Rule, string> = {
  optional: 'A password alone is enough to sign in to the desk. Not recommended.',
  required: 'Colleagues without one, including you, must set it up before they can continue. Recommended.',
}

/** Who must have a second factor, and whether a security change holds withdrawals. */
export function SecondFactorFields({ values, change }: SecondFactorFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <RuleChoice
        label={t('Second factor for members')}
        descriptions={memberLabels}
        value={values.second_factor_members}
        onChange={(second_factor_members) => change({ second_factor_members })}
      />
      <RuleChoice
        label={t('Second factor for staff')}
        descriptions={staffLabels}
        value={values.second_factor_staff}
        onChange={(second_factor_staff) => change({ second_factor_staff })}
      />
      <Checkbox
        label={t('Hold withdrawals after a security change')}
        description={t(
          'For some hours after a password, name, email or phone was changed, or a second factor removed, no withdrawals are paid. This gives the owner of a stolen account time to object.',
        )}
        checked={values.hold_withdrawals}
        onChange={(event) => change({ hold_withdrawals: event.currentTarget.checked })}
      />
    </>
  )
}

type RuleChoiceProps = {
  label: string
  descriptions: Record<Rule, string>
  value: Rule
  onChange: (rule: Rule) => void
}

function RuleChoice({ label, descriptions, value, onChange }: RuleChoiceProps) {
  const { t } = useTranslation()
  return (
    <Radio.Group label={label} value={value} onChange={(rule) => onChange(rule as Rule)}>
      <div className={parts.choices}>
        {secondFactorRules.map((rule) => (
          <Radio key={rule} value={rule} label={t(labels[rule])} description={t(descriptions[rule])} />
        ))}
      </div>
    </Radio.Group>
  )
}
