import { limits } from '@atrium/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { forgetResetCode, readResetCode } from './reset-code.ts'

const isAboutCode = (error: Error | null) => error instanceof ApiError && error.fieldErrors.code !== undefined

/** A password reset link, with its code removed from the address; checked on load, invalid once used. */
export function useResetLink<Answer>(ask: (code: string) => Promise<Answer>, leave: () => void) {
  const { t } = useTranslation()
  const [code] = useState(readResetCode)
  const [isRefused, setRefused] = useState(code === null)
  const check = useQuery({
    queryKey: ['reset-code', code],
    queryFn: () => ask(code ?? ''),
    enabled: code !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return {
    code: code ?? '',
    check,
    isSpent: isRefused || isAboutCode(check.error),
    finish({ msg }: { msg: string[] }) {
      forgetResetCode()
      leave()
      toast.done(msg.map((line) => t(line)).join(' '), limits.resetNoticeMs)
    },
    /** True when the server refused the link itself: the page then shows that in place of the form. */
    noteRefusal(error: Error): boolean {
      if (isAboutCode(error)) setRefused(true)
      return isAboutCode(error)
    },
  }
}
