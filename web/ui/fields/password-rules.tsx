import type { PasswordRule } from '@atrium/contract/sessions/passwords.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './password-rules.module.css'

/** The rules of a password, each ticked when it is met. */
export function PasswordRules({ password, rules }: { password: string; rules: readonly PasswordRule[] }) {
  const { t } = useTranslation()
  return (
    <ul className={parts.rules} aria-label={t('Password requirements')}>
      {rules.map(({ name, text, holds }) => {
        // An empty password meets no rule, not even a negative one.
        const isMet = password !== '' && holds(password)
        const Icon = isMet ? IconCircleCheck : IconCircle
        return (
          <li key={name} className={isMet ? parts.met : undefined}>
            <Icon size={18} stroke={1.5} aria-hidden />
            <span>{t(text)}</span>
            <VisuallyHidden>{isMet ? t('Met') : t('Not met yet')}</VisuallyHidden>
          </li>
        )
      })}
    </ul>
  )
}
