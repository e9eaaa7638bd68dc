import { fileAddress } from '../../../api/address.ts'
import { Logo } from '../../../ui/brand/logo.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import type { Transaction } from '../use-funding.ts'
import { methodLabel } from './transaction-labels.ts'
import parts from './transaction-parts.module.css'

/** The payment method, with the provider's picture if it has one. */
export function TransactionMethod({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  return (
    <span className={parts.method}>
      <Logo url={fileAddress(transaction.psp_transaction?.image_url ?? '')} size={20} />
      {t(methodLabel(transaction))}
    </span>
  )
}
