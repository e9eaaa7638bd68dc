import { useTranslation } from '../text/use-translation.ts'
import parts from './refusal.module.css'
import { Callout } from './state.tsx'

type RefusalProps = {
  messages: readonly string[]
  /** No answer arrived: the request may have succeeded, and sending it again is idempotent. */
  isUnknown: boolean
  unknown?: string
}

/** Why a form was refused, shown beside its button. The input is preserved. */
export function Refusal({ messages, isUnknown, unknown }: RefusalProps) {
  const { t } = useTranslation()
  if (messages.length === 0) return null
  return (
    <Callout meaning="red">
      <div className={parts.refusal} data-stack="xs">
        {messages.map((message) => (
          <p key={message}>{t(message)}</p>
        ))}
        {isUnknown && (
          <p>
            {unknown ??
              t(
                'We got no answer, so it may or may not have been created. Send it again: it can only be created once.',
              )}
          </p>
        )}
      </div>
    </Callout>
  )
}
