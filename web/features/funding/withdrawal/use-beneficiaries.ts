import { useQuery } from '@tanstack/react-query'
import { report } from '../../../api/log.ts'
import { graph } from '../../../api/transport.ts'
import { beneficiariesQuery } from '../payees.queries.ts'
import { bankLabel } from './bank-choices.tsx'
import type { BeneficiaryChoices } from './withdrawal-form.tsx'

type Other = { _id: string; name: string; provider: string; preferred_currency: string }

const otherLabel = ({ name, provider, preferred_currency }: Other) =>
  [name, provider, preferred_currency.toUpperCase()].join(' \u00b7 ')

/** The member's beneficiaries by kind. */
export function useBeneficiaries() {
  return useQuery({
    queryKey: ['withdrawal-destinations'],
    queryFn: async (): Promise<BeneficiaryChoices> => {
      const { data } = await graph(beneficiariesQuery, {}).catch((error: unknown) => {
        report('crypto-accounts.not-loaded', { error: String(error) })
        throw error
      })
      const choices = (others: Other[]) => others.map((other) => ({ id: other._id, label: otherLabel(other) }))
      return {
        bank_account: data.bank_accounts.map((bank) => ({ id: bank._id, label: bankLabel(bank) })),
        other_transfer: choices(data.others),
        crypto_transfer: choices(data.wallets),
      }
    },
  })
}
