import {
  addCompanyBank,
  archiveCompanyBank,
  changeCompanyBank,
  companyBankInput,
  listCompanyBanks,
} from '@atrium/contract/banking/desk-calls.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fieldsBy, schemaErrors } from '../../api/form-errors.ts'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { DialogTools } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

export type CompanyBank = CallAnswer<typeof listCompanyBanks>['banks'][number]

const queryKey = ['company-banks']

export function useCompanyBanks() {
  return useQuery({ queryKey, queryFn: async () => (await call(listCompanyBanks, {})).banks })
}

/** Every change returns the updated list; the settings offer the same accounts. */
function useKeep() {
  const queries = useQueryClient()
  return ({ banks }: { banks: CompanyBank[] }) => {
    queries.setQueryData(queryKey, banks)
    queries.invalidateQueries({ queryKey: ['desk-workspace'] })
  }
}

export function useArchiving() {
  const { t } = useTranslation()
  const keep = useKeep()
  return useMutation({
    mutationFn: (id: string) => call(archiveCompanyBank, { id }),
    onSuccess: (answer) => {
      keep(answer)
      toast.done(t('Archived. Members do not see it any more.'))
    },
    onError: (error) => toast.refused(t(error.message)),
  })
}

/** In dialog order. */
export const companyBankLabels = {
  currency: 'Currency',
  bank_name: 'Bank Name',
  account_holder: 'Beneficiary Name',
  iban_number: 'IBAN',
  bank_account: 'Account',
  swift: 'Swift Code',
  sort_code: 'Sort Code',
  identifier: 'Identifier',
  address_line_1: 'Address',
  notes: 'Notes',
}
export type CompanyBankField = keyof typeof companyBankLabels

const draftOf = (bank: CompanyBank | null) =>
  Object.fromEntries(
    Object.keys(companyBankLabels).map((name) => [name, bank?.[name as CompanyBankField] ?? '']),
  ) as Record<CompanyBankField, string>

/** The form of one bank account, validated by the server's schema. */
export function useCompanyBankForm(bank: CompanyBank | null, { onDirty, onSaved }: DialogTools) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const keep = useKeep()
  return useCallForm({
    start: { ...draftOf(bank), countries_confirmed: false },
    labels: companyBankLabels,
    check: (draft) => schemaErrors(companyBankInput, draft, fieldsBy(companyBankLabels)),
    fieldsOf: { countries_confirmed: ['swift'] },
    // A confirmation does not apply to changed codes.
    withChange: (before, next) => ({ ...before, countries_confirmed: false, ...next }),
    send: (sent) =>
      bank ? call(changeCompanyBank, { ...sent, id: bank._id, seen: bank.revision }) : call(addCompanyBank, sent),
    // A refusal may mean that a colleague changed it.
    onRefused: () => queries.invalidateQueries({ queryKey }),
    onDone: (answer) => {
      keep(answer)
      toast.done(t('Saved. It takes effect now, for everybody.'))
      onSaved()
    },
    onDirty,
  })
}
