import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  addCompanyBank,
  archiveCompanyBank,
  changeCompanyBank,
  companyBankInput,
  listCompanyBanks,
} from '@atrium/contract/desk-banking.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import type { DialogTools } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'

export type CompanyBank = CallAnswer<typeof listCompanyBanks>['banks'][number]

const queryKey = ['company-banks']

export function useCompanyBanks() {
  return useQuery({ queryKey, queryFn: async () => (await call(listCompanyBanks, {})).banks })
}

/** Every change answers the list as it is from then on; the settings offer the same accounts to choose from. */
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
      notice.done(t('Archived. Members do not see it any more.'))
    },
    onError: (error) => notice.refused(t(error.message)),
  })
}

export const companyBankFields = [
  'currency',
  'bank_name',
  'account_holder',
  'iban_number',
  'bank_account',
  'swift',
  'sort_code',
  'identifier',
  'address_line_1',
  'notes',
] as const
export type CompanyBankField = (typeof companyBankFields)[number]
type Draft = Record<CompanyBankField, string>

const draftOf = (bank: CompanyBank | null): Draft =>
  Object.fromEntries(companyBankFields.map((field) => [field, bank?.[field] ?? ''])) as Draft

type Problems = Partial<Record<CompanyBankField, string>>

function problemsOf(draft: Draft & { countries_confirmed: boolean }): Problems {
  const { issues } = companyBankInput.safeParse(draft).error ?? { issues: [] }
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0]), message]))
}

/** One account's form, judged as the server judges it. */
export function useCompanyBankForm(bank: CompanyBank | null, { onDirty, onSaved }: DialogTools) {
  const { t } = useTranslation()
  const keep = useKeep()
  const [opened] = useState(() => draftOf(bank))
  const [draft, setDraft] = useState(opened)
  const [problems, setProblems] = useState<Problems>({})
  const [isConfirmed, setConfirmed] = useState(false)
  const sent = { ...draft, countries_confirmed: isConfirmed }
  const isDirty = companyBankFields.some((field) => draft[field] !== opened[field])
  useTellDirty(isDirty, onDirty)
  const saving = useMutation({
    mutationFn: () => (bank ? call(changeCompanyBank, { ...sent, id: bank._id }) : call(addCompanyBank, sent)),
    onSuccess: (answer) => {
      keep(answer)
      notice.done(t('Saved. It takes effect now, for everybody.'))
      onSaved()
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? Object.entries(error.fieldErrors) : []
      setProblems(Object.fromEntries(fields.map(([field, messages]) => [field, messages.join(' ')])))
      if (fields.length === 0) notice.refused(t(error.message))
    },
  })
  const submit = () => {
    const found = problemsOf(sent)
    setProblems(found)
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate()
  }
  const change = (field: CompanyBankField, value: string) => {
    setDraft((before) => ({ ...before, [field]: value }))
    // What was confirmed of other codes is not confirmed of these.
    setConfirmed(false)
    setProblems(({ [field]: _, ...others }) => others)
  }
  const confirm = (confirmed: boolean) => {
    setConfirmed(confirmed)
    setProblems(({ swift: _, ...others }) => others)
  }
  const problemOf = (field: CompanyBankField) => problems[field] && t(problems[field])
  return { draft, problemOf, isSaving: saving.isPending, isConfirmed, confirm, submit, change }
}
