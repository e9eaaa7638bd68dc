import { secondApprovalRules } from '@atrium/contract/deposits/settings.ts'
import { Checkbox, Radio } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SectionForm } from './section-form.tsx'
import parts from './settings.module.css'
import { Thresholds } from './thresholds.tsx'
import { useSection } from './use-workspace.ts'

const ruleLabels: Record<(typeof secondApprovalRules)[number], string> = {
  'as-withdrawals': 'The same amounts as for withdrawals',
  own: 'Separate amounts for deposits',
  off: 'Never: one person approves any deposit',
}

/** The number of approvals for deposits. */
export function DepositsSection() {
  const { t } = useTranslation()
  const form = useSection('deposits')
  const { values, change, errorOf } = form
  const error = errorOf('deposit_second_approval_above')
  return (
    <SectionForm
      title={t('Deposits')}
      help={t('How many people approve a deposit. Payments confirmed by a provider are credited automatically.')}
      form={form}
    >
      <fieldset className={parts.group}>
        <Radio.Group
          label={t('Second approval')}
          description={t(
            'All deposits of one member that the same person approves within 24 hours are added up. The person who changes these amounts is bound by the previous ones for another 24 hours.',
          )}
          value={values.deposit_second_approval}
          onChange={(value) =>
            change({ deposit_second_approval: secondApprovalRules.find((rule) => rule === value) ?? 'as-withdrawals' })
          }
        >
          <div className={parts.choices}>
            {secondApprovalRules.map((rule) => (
              <Radio key={rule} value={rule} label={t(ruleLabels[rule])} />
            ))}
          </div>
        </Radio.Group>
        {values.deposit_second_approval === 'own' && (
          <>
            <p className={parts.quiet}>{t('A currency that is not listed needs two approvals at any amount.')}</p>
            <Thresholds
              label={t('Second approval above')}
              values={values.deposit_second_approval_above}
              error={error}
              onChange={(limits) => change({ deposit_second_approval_above: limits })}
            />
          </>
        )}
      </fieldset>
      <fieldset className={parts.group}>
        <legend className={parts.legend}>{t('Before the identity is approved')}</legend>
        <Checkbox
          label={t('Deposits above these totals need an approved identity')}
          description={t(
            'All deposits to a member’s live accounts count. Enter equivalent totals: a deposit in one currency uses up the same share of the total in all others. A currency that is not listed needs an approved identity at any amount.',
          )}
          checked={values.deposit_needs_identity}
          onChange={(event) => change({ deposit_needs_identity: event.currentTarget.checked })}
        />
        <Thresholds
          label={t('In total up to')}
          added="2000"
          values={values.deposit_needs_identity_above}
          error={errorOf('deposit_needs_identity_above')}
          onChange={(limits) => change({ deposit_needs_identity_above: limits })}
        />
      </fieldset>
    </SectionForm>
  )
}
