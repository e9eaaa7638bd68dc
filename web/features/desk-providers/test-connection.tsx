import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/state.tsx'
import { FormSection } from '../../ui/layout/work-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { failureLabels } from './provider-state.tsx'
import { type Provider, useTest } from './use-providers.ts'

/** Tests the connection with the saved settings. */
export function TestConnection({ provider, isDirty }: { provider: Provider; isDirty: boolean }) {
  const { t } = useTranslation()
  const test = useTest(provider)
  const { answer } = test
  return (
    <FormSection title={t('Test connection')} help={t('Sends the provider a harmless request. No money moves.')}>
      <div data-group="sm" data-align="center">
        <Button variant="default" loading={test.isPending} disabled={isDirty} onClick={test.run}>
          {t('Test connection')}
        </Button>
        {isDirty && <span className={rows.quiet}>{t('Save first: the saved settings are tested.')}</span>}
      </div>
      {test.error && <Callout meaning="red">{t(test.error.message)}</Callout>}
      {answer?.works && (
        <Callout meaning="green">
          {t('It accepts our settings. It answered in {{count}} ms.', { count: answer.took_ms })}
        </Callout>
      )}
      {answer?.failure && (
        <Callout meaning="red">
          {t(failureLabels[answer.failure])} {answer.detail}
        </Callout>
      )}
    </FormSection>
  )
}
