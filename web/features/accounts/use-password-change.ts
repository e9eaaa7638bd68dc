import {
  accountPasswordRules,
  changeInvestorPassword,
  changeTradingPassword,
  readPasswordPolicy,
} from '@atrium/contract/accounts/calls.ts'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { platformPasswordRules } from '@atrium/contract/accounts/trading-passwords.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isConfirmed } from '@atrium/contract/sessions/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { fieldsBy } from '../../api/form-errors.ts'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { duePasswordsKey } from './due-passwords.queries.ts'

const labels = { password: 'New password', password_confirmation: 'Confirm new password' }
export type PasswordField = keyof typeof labels
export const labelOfField = (field: PasswordField): string => labels[field]

/** The portal's password rules and, once loaded, the platform's. */
function useRules(accountId: string) {
  const { data } = useQuery({
    queryKey: ['trading-password-policy', accountId],
    queryFn: async () => (await call(readPasswordPolicy, { id: accountId })).policy,
    staleTime: 300_000,
  })
  return { rules: [...accountPasswordRules, ...(data ? platformPasswordRules(data) : [])] }
}

/** `main` can trade, `investor` is read-only. */
export type PasswordKind = 'main' | 'investor'
const ways = {
  main: { call: changeTradingPassword, done: accountTexts.passwordChanged },
  investor: { call: changeInvestorPassword, done: accountTexts.investorChanged },
}

type Asked = { accountId: string; kind: PasswordKind; onChanged: () => void; onDirty: (isDirty: boolean) => void }

export function usePasswordChange({ accountId, kind, onChanged, onDirty }: Asked) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { rules } = useRules(accountId)
  const form = useCallForm({
    start: { password: '', password_confirmation: '' },
    labels,
    fieldFor: fieldsBy(labels, { new_password: 'password' }),
    check(entry) {
      const broken = rules.find(({ holds }) => !holds(entry.password))
      if (broken) return { password: [entry.password === '' ? texts.passwordMissing : broken.text] }
      return isConfirmed(entry) ? {} : { password_confirmation: [texts.passwordConfirmation] }
    },
    send: ({ password }) =>
      call(ways[kind].call, { id: accountId, new_password: password }).catch((error: unknown) => {
        throw isLost(error) ? new ApiError({ code: error.code, message: accountTexts.passwordUnknown }) : error
      }),
    onDone: () => {
      toast.done(t(ways[kind].done))
      queries.invalidateQueries({ queryKey: duePasswordsKey(accountId) })
      onChanged()
    },
    onRefused: ({ message }) => {
      if (message === accountTexts.passwordFailed) toast.refused(t(message), limits.passwordFailureNoticeMs)
    },
    besides: 'toasts',
    onDirty,
  })
  return { ...form, rules }
}

/** True when the outcome is unknown because no answer came from our server. */
const isLost = (error: unknown): error is ApiError =>
  error instanceof ApiError && ['aborted', 'unreachable'].includes(error.code)
