import { useTranslation } from 'react-i18next'
import formPage from '../../ui/form-page.module.css'
import { Callout } from '../../ui/state.tsx'

type RefusalProps = {
  messages: readonly string[]
  /** No answer came: what was asked for may exist, and sending it again cannot make a second one. */
  isUnknown: boolean
}

/** Why a money form was not carried out, beside its button. What was entered stays. */
export function Refusal({ messages, isUnknown }: RefusalProps) {
  const { t } = useTranslation()
  if (messages.length === 0) return null
  return (
    <Callout meaning="red">
      <div className={formPage.refusal}>
        {messages.map((message) => (
          <p key={message}>{t(message)}</p>
        ))}
        {isUnknown && (
          <p>
            {t('No answer came, so it may or may not have been created. Send it again: it can only be created once.')}
          </p>
        )}
      </div>
    </Callout>
  )
}
