import { cryptoCodes } from '@atrium/contract/money/currencies.ts'
import { payingProviders } from '@atrium/contract/payments/payouts.ts'
import { beneficiaryTypes, isProvider, type WithdrawalRule } from '@atrium/contract/withdrawals/calls.ts'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { DecimalField } from '../../ui/fields/decimal-field.tsx'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SectionForm } from './section-form.tsx'
import parts from './settings.module.css'
import { decimalsOf, ruleDecimals, Thresholds, unitOf, withPlaces } from './thresholds.tsx'
import { useRemoval } from './use-removal.ts'
import { useSection } from './use-workspace.ts'

const narrow = { input: { width: 160 } }
type Form = ReturnType<typeof useSection<'withdrawals'>>

/** The withdrawal settings, except the cooling-off period of new beneficiaries. */
export function WithdrawalsSection() {
  const { t } = useTranslation()
  const form = useSection('withdrawals')
  const { values, change, errorOf } = form
  return (
    <SectionForm title={t('Withdrawals')} help={t('Approvals, fees, limits and schedule of withdrawals.')} form={form}>
      <FourEyes form={form} error={errorOf('withdrawal_four_eyes_above')} />
      <NumberField
        label={t('Withdrawal hold (hours)')}
        description={t(
          'After a change of password, name, email or phone, or the removal of a second factor, if the security settings require it.',
        )}
        value={values.withdrawal_hold_hours}
        error={errorOf('withdrawal_hold_hours')}
        onChange={(hours) => change({ withdrawal_hold_hours: hours ?? Number.NaN })}
      />
      <NativeSelect
        label={t('Ask for confirmation')}
        value={values.withdrawal_proof}
        data={[
          { value: 'new-destination', label: t('For a beneficiary never paid before') },
          { value: 'always', label: t('For every withdrawal') },
        ]}
        onChange={(event) =>
          change({ withdrawal_proof: event.currentTarget.value === 'always' ? 'always' : 'new-destination' })
        }
      />
      <Checkbox
        label={t('A withdrawal needs an approved identity')}
        description={t(
          'Withdrawals from live accounts are requested, approved and paid out only after the documents are approved.',
        )}
        checked={values.withdrawal_needs_identity}
        onChange={(event) => change({ withdrawal_needs_identity: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('Return deposits to their payment provider first')}
        description={t(
          'A member can withdraw to another beneficiary only after deposits were returned to their provider, as far as it pays out in that currency. Other withdrawals are refused with the reason.',
        )}
        checked={values.withdrawal_return_to_source}
        onChange={(event) => change({ withdrawal_return_to_source: event.currentTarget.checked })}
      />
      <CutOff form={form} error={errorOf('withdrawal_cut_off')} />
      <Rules form={form} error={errorOf('withdrawal_rules')} />
      <MultiSelect
        label={t('Coins')}
        description={t('Coins in which members can be paid.')}
        searchable
        data={[...cryptoCodes]}
        value={values.withdrawal_coins}
        error={errorOf('withdrawal_coins')}
        onChange={(coins) => change({ withdrawal_coins: coins })}
      />
    </SectionForm>
  )
}

type PartProps = { form: Form; error: string | undefined }

function FourEyes({ form: { values, change }, error }: PartProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={parts.group}>
      <legend className={parts.legend}>{t('Second approval')}</legend>
      <Checkbox
        label={t('Second approval above these amounts')}
        description={t('A currency that is not listed needs two approvals at any amount.')}
        checked={values.withdrawal_four_eyes}
        onChange={(event) => change({ withdrawal_four_eyes: event.currentTarget.checked })}
      />
      <Thresholds
        label={t('Second approval above')}
        values={values.withdrawal_four_eyes_above}
        error={error}
        onChange={(limits) => change({ withdrawal_four_eyes_above: limits })}
      />
    </fieldset>
  )
}

function CutOff({ form: { values, change }, error }: PartProps) {
  const { t } = useTranslation()
  const rule = values.withdrawal_cut_off
  const replace = (next: Partial<typeof rule>) => change({ withdrawal_cut_off: { ...rule, ...next } })
  return (
    <fieldset className={parts.group}>
      <legend className={parts.legend}>{t('Payout schedule')}</legend>
      <div data-group="sm" data-align="end">
        <TextInput
          label={t('Request by')}
          charsMax={5}
          styles={{ input: { width: 96 } }}
          value={rule.time}
          onChange={(event) => replace({ time: event.currentTarget.value.trim() })}
        />
        <TextInput
          label={t('Time zone')}
          charsMax={60}
          styles={narrow}
          value={rule.zone}
          onChange={(event) => replace({ zone: event.currentTarget.value.trim() })}
        />
      </div>
      <div data-group="sm" data-align="end">
        <NumberField
          label={t('Minimum working days')}
          value={rule.days_min}
          onChange={(days) => replace({ days_min: days ?? Number.NaN })}
        />
        <NumberField
          label={t('Maximum working days')}
          value={rule.days_max}
          onChange={(days) => replace({ days_max: days ?? Number.NaN })}
        />
      </div>
      {error && (
        <p className={parts.problem} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Payout methods: offered to members only if a rule enables them, in currencies in which the provider pays out. */
const payoutMethods = payingProviders.map((uid) => `psp:${uid}`)

const methodLabels: Record<string, string> = {
  bank_account: 'Bank account',
  other_transfer: 'Other transfer',
  crypto_transfer: 'Crypto transfer',
}
const newRule: WithdrawalRule = {
  method: 'bank_account',
  currency: '*',
  enabled: true,
  fee_fixed: '0',
  fee_percent: '0',
  minimum: '0',
  maximum: null,
}

function Rules({ form: { values, change }, error }: PartProps) {
  const { t } = useTranslation()
  const rules = values.withdrawal_rules
  const { adding, remove } = useRemoval(rules, (next) => change({ withdrawal_rules: next }))
  return (
    <fieldset className={parts.group}>
      <legend className={parts.legend}>{t('Fees and limits')}</legend>
      <p className={parts.quiet}>
        {t(
          'The first rule for the account’s currency applies, otherwise the first rule for any currency (*). Without a rule there is no fee and no limit.',
        )}
      </p>
      {withPlaces(rules).map(({ key, each: rule, index }) => (
        <Rule
          key={key}
          rule={rule}
          onChange={(next) => change({ withdrawal_rules: rules.map((each, at) => (at === index ? next : each)) })}
          place={index + 1}
          onRemove={() => remove(index)}
        />
      ))}
      {error && (
        <p className={parts.problem} role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          ref={adding}
          variant="default"
          size="xs"
          onClick={() => change({ withdrawal_rules: [...rules, newRule] })}
        >
          {t('Add a rule')}
        </Button>
      </div>
    </fieldset>
  )
}

type RuleProps = {
  rule: WithdrawalRule
  /** Counted from 1: several rules may have the same method and currency. */
  place: number
  onChange: (rule: WithdrawalRule) => void
  onRemove: () => void
}
const amountFields = [
  ['fee_fixed', 'Fee'],
  ['fee_percent', 'Fee (%)'],
  ['minimum', 'Minimum'],
  ['maximum', 'Maximum'],
] as const

const methodName = (method: string) => methodLabels[method] ?? method.replace(/^psp:/, '')

function Rule({ rule, place, onChange, onRemove }: RuleProps) {
  const { t } = useTranslation()
  return (
    <div data-group="sm" data-align="end">
      <NativeSelect
        label={t('Method')}
        value={rule.method}
        data={[...new Set<string>([...beneficiaryTypes, ...payoutMethods, rule.method])].map((value) => ({
          value,
          label: t(methodName(value)),
        }))}
        onChange={(event) => onChange({ ...rule, method: event.currentTarget.value })}
      />
      <TextInput
        label={t('Currency')}
        charsMax={5}
        styles={{ input: { width: 80 } }}
        value={rule.currency}
        onChange={(event) => onChange({ ...rule, currency: event.currentTarget.value.trim().toUpperCase() })}
      />
      {amountFields.map(([name, label]) => (
        <DecimalField
          key={name}
          label={t(label)}
          styles={{ input: { width: 110 } }}
          line="between"
          decimals={name === 'fee_percent' ? ruleDecimals : decimalsOf(rule.currency)}
          unit={name === 'fee_percent' ? '%' : unitOf(rule.currency)}
          value={rule[name] ?? ''}
          onChange={(typed) => onChange({ ...rule, [name]: typed === '' && name === 'maximum' ? null : typed })}
        />
      ))}
      <Checkbox
        label={t('Offered')}
        checked={rule.enabled}
        onChange={(event) => onChange({ ...rule, enabled: event.currentTarget.checked })}
      />
      {isProvider(rule.method) && (
        <Checkbox
          label={t('Staff start each payout')}
          checked={rule.started_by_staff ?? false}
          onChange={(event) => onChange({ ...rule, started_by_staff: event.currentTarget.checked })}
        />
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={t('Remove rule {{place}}: {{method}}, {{currency}}', {
          place,
          method: t(methodName(rule.method)),
          currency: rule.currency,
        })}
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </div>
  )
}
