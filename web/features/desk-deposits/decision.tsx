import { Facts } from '../../ui/layout/facts.tsx'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './decision-dialogs.module.css'
import { amountOf } from './use-decision-form.ts'
import type { DeskDeposit } from './use-desk-deposits.ts'

export const isFirstOfTwo = ({ approvals, approvals_needed }: DeskDeposit): boolean => approvals + 1 < approvals_needed

export function DecisionFacts({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const { member, account } = deposit
  const kind = account.live_account ? t('Live') : t('Demo')
  return (
    <div className={parts.facts}>
      <Facts
        facts={[
          {
            name: t('Amount'),
            value: amountOf(deposit),
          },
          { name: t('Account'), value: `${platformName(account.platform_type)} ${account.platform_login} (${kind})` },
          {
            name: t('Member'),
            value: t('{{name}}, customer {{number}}', { name: member.name, number: member.customer_number }),
          },
        ]}
      />
    </div>
  )
}
