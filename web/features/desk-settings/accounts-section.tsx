import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { DecimalField } from '../../ui/fields/decimal-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { listInWords } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SectionForm } from './section-form.tsx'
import parts from './settings.module.css'
import { useSection, useWorkspace } from './use-workspace.ts'

type OpeningRule = { enabled: boolean; account_limit: number; require_kyc: boolean }

export function AccountsSection() {
  const { t } = useTranslation()
  const form = useSection('accounts')
  const { bank_accounts } = useWorkspace()
  const { values, change, errorOf } = form
  const chosen = values.default_bank_accounts_for_clients
  return (
    <SectionForm
      title={t('Accounts')}
      help={t('What members are offered when they open a trading account.')}
      form={form}
    >
      <TextInput
        label={t('Default currency')}
        charsMax={5}
        styles={{ input: { width: 160 } }}
        value={values.default_currency}
        error={errorOf('default_currency')}
        onChange={(event) => change({ default_currency: event.currentTarget.value.toUpperCase() })}
      />
      <Opening
        label={t('Live accounts')}
        rule={values.acc_creation_live_configuration}
        error={errorOf('acc_creation_live_configuration')}
        onChange={(rule) => change({ acc_creation_live_configuration: rule })}
      />
      <Opening
        label={t('Demo accounts')}
        rule={values.acc_creation_demo_configuration}
        error={errorOf('acc_creation_demo_configuration')}
        onChange={(rule) => change({ acc_creation_demo_configuration: rule })}
      />
      <DecimalField
        label={t('Starting balance of demo accounts')}
        description={t('In the currency of the account. 0 for none.')}
        decimals={0}
        line="beside"
        styles={{ input: { width: 160 } }}
        value={values.demo_balance}
        error={errorOf('demo_balance')}
        onChange={(demo_balance) => change({ demo_balance })}
      />
      <DecimalField
        label={t('Daily demo top-up limit')}
        description={t('What a member may add to a demo account within 24 hours. 0 for none.')}
        decimals={0}
        line="beside"
        styles={{ input: { width: 160 } }}
        value={values.demo_deposit_daily}
        error={errorOf('demo_deposit_daily')}
        onChange={(demo_deposit_daily) => change({ demo_deposit_daily })}
      />
      <LeverageField
        values={values.leverage}
        error={errorOf('leverage')}
        onChange={(leverage) => change({ leverage })}
      />
      <Checkbox.Group
        label={t('Bank accounts for every member')}
        description={t('Where members send money, unless another account is assigned to them.')}
        error={errorOf('default_bank_accounts_for_clients')}
        value={chosen}
        onChange={(ids) => change({ default_bank_accounts_for_clients: ids })}
      >
        <div className={parts.choices}>
          {bank_accounts.map(({ _id, name }) => (
            <Checkbox key={_id} value={_id} label={name} />
          ))}
          {bank_accounts.length === 0 && <span className={parts.quiet}>{t('There are no bank accounts yet.')}</span>}
        </div>
      </Checkbox.Group>
    </SectionForm>
  )
}

type OpeningProps = {
  label: string
  rule: OpeningRule
  error: string | undefined
  onChange: (rule: OpeningRule) => void
}

function Opening({ label, rule, error, onChange }: OpeningProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={parts.group}>
      <legend className={parts.legend}>{label}</legend>
      <Checkbox
        label={t('Members can open them')}
        checked={rule.enabled}
        onChange={(event) => onChange({ ...rule, enabled: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('Only once their documents are approved')}
        checked={rule.require_kyc}
        onChange={(event) => onChange({ ...rule, require_kyc: event.currentTarget.checked })}
      />
      <NumberField
        label={t('Maximum per member')}
        description={t('-1 for no limit.')}
        value={rule.account_limit}
        error={error}
        onChange={(count) => onChange({ ...rule, account_limit: count ?? Number.NaN })}
      />
    </fieldset>
  )
}

type LeverageFieldProps = { values: number[]; error: string | undefined; onChange: (values: number[]) => void }

const readLeverages = (text: string) =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    // Plain digits only, so that "1.000" does not become 1; the server rejects the 0 of an invalid part.
    .map((part) => (/^[1-9]\d{0,5}$/.test(part) ? Number(part) : 0))

/** A list typed as text, which is not reformatted while typing. "1,000" would be two values, so the parsed list is shown. */
function LeverageField({ values, error, onChange }: LeverageFieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(values.join(', '))
  const shown = listInWords(values.map((value) => `1:${value}`))
  const isOurs = JSON.stringify(readLeverages(text)) === JSON.stringify(values)
  return (
    <TextInput
      label={t('Leverage')}
      description={`${t('In the order in which members see it. The first one is preselected.')} ${shown}`}
      charsMax={200}
      value={isOurs ? text : values.join(', ')}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(readLeverages(event.currentTarget.value))
      }}
    />
  )
}
