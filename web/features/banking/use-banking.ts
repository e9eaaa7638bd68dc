import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import type { deleteBankAccount, deleteFundAccount } from '@atrium/contract/banking/calls.ts'
import type { CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { declareList } from '@atrium/contract/list.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { capitalised } from '../../api/error-lines.ts'
import type {
  BankAccountsQuery,
  CompanyBanksQuery,
  EditedBankAccountsQuery,
  EditedOtherAccountsQuery,
  OtherAccountsQuery,
} from '../../api/generated/graphql.ts'
import { call, graph } from '../../api/transport.ts'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { type ListSource, pageOfAll } from '../../ui/lists/list-query.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import {
  bankAccountsQuery,
  companyBanksQuery,
  editedBankAccountsQuery,
  editedOtherAccountsQuery,
  otherAccountsQuery,
} from './banking.queries.ts'
import { refreshBeneficiaries } from './refresh-beneficiaries.ts'
import { useEdited } from './use-edited.ts'

export type BankAccount = BankAccountsQuery['bank_accounts'][number]
export type CompanyBank = CompanyBanksQuery['system_bank_accounts'][number]
export type OtherAccount = OtherAccountsQuery['other_accounts'][number]
export type EditedBankAccount = EditedBankAccountsQuery['bank_accounts'][number]
export type EditedOtherAccount = EditedOtherAccountsQuery['other_accounts'][number]

const bankAccountsList = declareList({
  name: 'bank-accounts',
  isNumbered: true,
  pageSize: beneficiaryLimits.bankAccountsPageSize,
  filters: {},
})

/** Paged, although most members have two or three. */
export const bankAccounts: ListSource<typeof bankAccountsList, BankAccount, BankAccount[]> = {
  list: bankAccountsList,
  key: 'bank-accounts',
  ask: async ({ page }) => pageOfAll((await graph(bankAccountsQuery, {})).data.bank_accounts, bankAccountsList, page),
}

export const useEditedBankAccount = (id: string | null) =>
  useEdited('edited-bank-account', id, async () => (await graph(editedBankAccountsQuery, {})).data.bank_accounts)

export const useEditedOtherAccount = (id: string | null) =>
  useEdited('edited-other-account', id, async () => (await graph(editedOtherAccountsQuery, {})).data.other_accounts)

export function useCompanyBanks() {
  return useQuery({
    queryKey: ['company-banks'],
    queryFn: async () => (await graph(companyBanksQuery, {})).data.system_bank_accounts,
  })
}

export function useOtherAccounts() {
  return useQuery({
    queryKey: ['other-accounts'],
    queryFn: async () => (await graph(otherAccountsQuery, {})).data.other_accounts,
  })
}

type Deletion = typeof deleteBankAccount | typeof deleteFundAccount

/** Deletes one account, notifies, and refetches the lists; each reason for a refusal has its own message. */
export function useDeletion(definition: Deletion) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<Deletion>) => call(definition, input),
    onSuccess: ({ msg }) => toast.done(msg.map((line) => t(line)).join(' ')),
    onError: (error) => {
      for (const line of reasonsOf(error, t)) toast.warning(line, limits.toastMs)
    },
    onSettled: async () => {
      await refreshBeneficiaries(queries)
      focusHeadingWhenLost()
    },
  })
}

/** Field errors prefixed with the field name, or the error's message alone. */
function reasonsOf(error: Error, t: TFunction): string[] {
  const fields = error instanceof ApiError ? Object.entries(error.fieldErrors) : []
  const named = fields.flatMap(([name, messages]) => {
    const [field = name] = name.split('.')
    return messages.map((message) => `${capitalised(field)} ${t(message)}`)
  })
  return named.length > 0 ? named : [t(error.message)]
}
