import { connectProvider } from '@atrium/contract/payments/providers.ts'
import { call } from '../../api/transport.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { SettingInput } from '../../ui/fields/setting-input.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { FormSection } from '../../ui/layout/work-page.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { failureLabels } from './provider-state.tsx'
import { TestConnection } from './test-connection.tsx'
import { type Provider, useProviderForm } from './use-providers.ts'

const valuesOf = ({ settings }: Provider): { settings: Record<string, string> } => ({
  settings: Object.fromEntries(settings.map(({ name, value }) => [name, value ?? ''])),
})

/** How we reach the provider, and how it reaches us. */
export function ConnectionPart({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const names = provider.settings.map(({ name }) => name)
  const labels = Object.fromEntries(provider.settings.map(({ name, label }) => [name, label]))
  const form = useProviderForm(provider, { labels, fieldsOf: { settings: names } }, valuesOf, ({ settings }, version) =>
    call(connectProvider, { id: provider._id, version, settings }),
  )
  const { values, change, errorOf } = form
  return (
    <>
      <ConnectionState provider={provider} />
      <SavedForm
        title={t('Connection')}
        help={t('Changes here ask you to confirm that it is you. They take effect with the next payment.')}
        form={form}
      >
        {provider.is_simulated && (
          <Callout meaning="blue">{t('This is the demo\u2019s simulator. It moves no real money.')}</Callout>
        )}
        {provider.settings.map((setting) => (
          <SettingInput
            key={setting.name}
            setting={setting}
            value={values.settings[setting.name] ?? ''}
            error={errorOf(setting.name)}
            onChange={(value) => change({ settings: { ...values.settings, [setting.name]: value } })}
          />
        ))}
      </SavedForm>
      <TestConnection provider={provider} isDirty={form.isDirty} />
    </>
  )
}

function ConnectionState({ provider: { notify_url, standing: health } }: { provider: Provider }) {
  const { t } = useTranslation()
  const failed = health.failed_at !== null && health.failure !== null && (
    <>
      <Ago at={health.failed_at} /> {t(failureLabels[health.failure])} {health.failure_detail}
    </>
  )
  return (
    <FormSection title={t('Status')} help={t('Enter the address at the provider, where it asks for one.')}>
      <Facts
        facts={[
          { name: t('Webhook URL'), value: notify_url, copy: notify_url },
          {
            name: t('Last webhook'),
            value: health.last_notice_at === null ? t('None yet') : <Ago at={health.last_notice_at} />,
          },
          { name: t('Last call that failed'), value: failed || t('None') },
          { name: t('Awaiting payment'), value: health.open_orders },
          { name: t('To be decided'), value: health.for_staff },
        ]}
      />
    </FormSection>
  )
}
