import { accountTexts } from '@atrium/contract/account-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isConfirmed } from '@atrium/contract/passwords.ts'
import { texts } from '@atrium/contract/texts.ts'
import {
  accountPasswordRules,
  changeInvestorPassword,
  changeTradingPassword,
  readPasswordPolicy,
} from '@atrium/contract/trading-accounts.ts'
import { platformPasswordRules } from '@atrium/contract/trading-passwords.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { notice } from '../../ui/notice.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'

const nothing = { password: '', password_confirmation: '' }
export type PasswordField = keyof typeof nothing
type Errors = Partial<Record<PasswordField, string>>

const labels: Record<PasswordField, string> = {
  password: 'New password',
  password_confirmation: 'Confirm new password',
}
export const labelOfField = (field: PasswordField) => labels[field]

/** The rules of the portal and, as far as the platform has said them, its own. */
function useRules(accountId: string) {
  const { data, isPending } = useQuery({
    queryKey: ['trading-password-policy', accountId],
    queryFn: async () => (await call(readPasswordPolicy, { id: accountId })).policy,
    staleTime: 300_000,
  })
  return { rules: [...accountPasswordRules, ...(data ? platformPasswordRules(data) : [])], isPending }
}

/** The one that trades, or the one for whoever may only look. */
export type PasswordKind = 'main' | 'investor'
const ways = {
  main: { call: changeTradingPassword, done: accountTexts.passwordChanged },
  investor: { call: changeInvestorPassword, done: accountTexts.investorChanged },
}

type Asked = { accountId: string; kind: PasswordKind; onChanged: () => void }

export function usePasswordChange({ accountId, kind, onChanged }: Asked) {
  const { t } = useTranslation()
  const { rules, isPending: isLoading } = useRules(accountId)
  const [entry, setEntry] = useState(nothing)
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const { form, tell } = useWrongFields()
  const sending = useMutation({
    mutationFn: () => call(ways[kind].call, { id: accountId, new_password: entry.password }),
    onSuccess: () => {
      notice.done(t(ways[kind].done))
      onChanged()
    },
    onError: (error) => {
      const messages = error instanceof ApiError ? (error.fieldErrors.new_password ?? []) : []
      if (messages.length > 0) setErrors({ password: messages.map((message) => t(message)).join(' ') })
      for (const message of messages) notice.warning(t(message), limits.toastShortMs)
      if (messages.length > 0) return
      const isLost = error instanceof ApiError && ['aborted', 'unreachable'].includes(error.code)
      // Nobody knows what became of it, and the platform was not asked either.
      const said = isLost ? accountTexts.passwordUnknown : error.message
      setProblem(t(said))
      if (said === accountTexts.passwordFailed) notice.refused(t(said), limits.passwordFailureNoticeMs)
    },
  })

  const submit = () => {
    if (sending.isPending) return
    const broken = rules.find(({ holds }) => !holds(entry.password))
    const gaps: Errors = {
      ...(broken && { password: t(entry.password === '' ? texts.passwordMissing : broken.text) }),
      ...(!broken && !isConfirmed(entry) && { password_confirmation: t(texts.passwordConfirmation) }),
    }
    setErrors(gaps)
    setProblem(null)
    tell((Object.keys(gaps) as PasswordField[]).map((field) => t(labels[field])))
    if (Object.keys(gaps).length === 0) sending.mutate()
  }
  const change = (field: PasswordField, value: string) => {
    setEntry((before) => ({ ...before, [field]: value }))
    setErrors(({ [field]: _, ...others }) => others)
  }
  const isFilled = entry.password !== '' || entry.password_confirmation !== ''
  return { form, entry, errors, problem, rules, isLoading, isFilled, isSending: sending.isPending, change, submit }
}
