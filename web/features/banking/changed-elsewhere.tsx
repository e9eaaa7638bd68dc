import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

/** Why the account was not saved, after its form has taken over the newer values. */
export function ChangedElsewhere() {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      {t(beneficiaryTexts.changedElsewhere)}{' '}
      {t('Fields that you did not change show the new values. Save again to keep the rest as you have it.')}
    </Callout>
  )
}
