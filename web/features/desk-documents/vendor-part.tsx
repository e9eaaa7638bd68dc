import type { DeskVendor } from '@atrium/contract/identity-vendors/desk-calls.ts'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SettingInput } from '../../ui/fields/setting-input.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { LoadingSkeleton } from './skeleton.tsx'
import { useVendorForm, vendorsQuery } from './use-vendors.ts'

/** The identity vendors that may verify members. */
export function VendorParts() {
  const { data, error, refetch } = useQuery(vendorsQuery)
  if (!data) return error ? <ErrorState error={error} onRetry={() => refetch()} /> : <LoadingSkeleton />
  return data.map((vendor) => <VendorForm key={vendor.app_uid} vendor={vendor} />)
}

function VendorForm({ vendor }: { vendor: DeskVendor }) {
  const { t } = useTranslation()
  const form = useVendorForm(vendor)
  const { values, change, errorOf } = form
  return (
    <SavedForm
      title={t('Identity checks by {{name}}', vendor)}
      help={t(
        'Its approvals count for the categories that accept them. Changes here ask you to confirm that it is you.',
      )}
      form={form}
    >
      <Switch
        label={t('Offer identity checks to members')}
        description={t(
          'While this is off, reports about checks that members began are recorded in the history of their documents. They do not count until it is on again.',
        )}
        checked={values.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <Facts facts={[{ name: t('Webhook URL'), value: vendor.notify_url, copy: vendor.notify_url }]} />
      {vendor.settings.map((setting) => (
        <SettingInput
          key={setting.name}
          setting={setting}
          value={values.settings[setting.name] ?? ''}
          error={errorOf(setting.name)}
          onChange={(value) => change({ settings: { ...values.settings, [setting.name]: value } })}
        />
      ))}
    </SavedForm>
  )
}
