import { connectPlatform } from '@atrium/contract/platforms/desk-calls.ts'
import { Switch } from '@mantine/core'
import { call } from '../../api/transport.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { TryPlatform } from './try-platform.tsx'
import { type Platform, usePlatformForm } from './use-platforms.ts'

type Values = {
  enabled: boolean
  base_url: string
  manager_login: string
  secret: string
  time_zone: string
  time_zone_shift_minutes: number | null
  ca_pem: string
  server_name: string
  connect_ms: number | null
  read_ms: number | null
  write_ms: number | null
  settle_ms: number | null
  look_again_ms: number | null
  lease_ms: number | null
}

type Whole =
  | 'time_zone_shift_minutes'
  | 'connect_ms'
  | 'read_ms'
  | 'write_ms'
  | 'settle_ms'
  | 'look_again_ms'
  | 'lease_ms'

const labelsOf = (isMt5: boolean): Record<keyof Values, string> => ({
  enabled: 'Switched on',
  base_url: isMt5 ? 'Access server' : 'Bridge',
  manager_login: 'Manager login',
  secret: isMt5 ? 'API password' : 'Bridge token',
  time_zone: 'Platform time zone',
  time_zone_shift_minutes: 'Additional offset (minutes)',
  connect_ms: 'Connect timeout (ms)',
  read_ms: 'Read timeout (ms)',
  write_ms: 'Write timeout (ms)',
  settle_ms: 'Wait before trusting a negative search (ms)',
  look_again_ms: 'Interval between two searches (ms)',
  lease_ms: 'Send lock (ms)',
  server_name: 'Server name in the certificate',
  ca_pem: 'CA certificate',
})

const usual = {
  ...{ connect_ms: 10_000, read_ms: 15_000, write_ms: 30_000 },
  ...{ settle_ms: 200_000, look_again_ms: 30_000, lease_ms: 75_000 },
}

function valuesOf({ enabled, connection }: Platform): Values {
  return {
    enabled,
    base_url: connection?.base_url ?? '',
    manager_login: connection?.manager_login ?? '',
    secret: '',
    time_zone: connection?.time_zone ?? '',
    time_zone_shift_minutes: connection?.time_zone_shift_minutes ?? 0,
    ca_pem: connection?.ca_pem ?? '',
    server_name: connection?.server_name ?? '',
    connect_ms: connection?.connect_ms ?? usual.connect_ms,
    read_ms: connection?.read_ms ?? usual.read_ms,
    write_ms: connection?.write_ms ?? usual.write_ms,
    settle_ms: connection?.settle_ms ?? usual.settle_ms,
    look_again_ms: connection?.look_again_ms ?? usual.look_again_ms,
    lease_ms: connection?.lease_ms ?? usual.lease_ms,
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

function bodyOf(values: Values, isMt5: boolean) {
  const { enabled, base_url, connect_ms, read_ms, write_ms, settle_ms, look_again_ms, lease_ms } = values
  return {
    ...{ enabled, base_url, secret: orNull(values.secret), server_name: orNull(values.server_name) },
    ca_pem: orNull(values.ca_pem),
    manager_login: isMt5 ? values.manager_login : null,
    time_zone: isMt5 ? values.time_zone : null,
    time_zone_shift_minutes: isMt5 ? (values.time_zone_shift_minutes ?? Number.NaN) : null,
    ...{ connect_ms: connect_ms ?? Number.NaN, read_ms: read_ms ?? Number.NaN, write_ms: write_ms ?? Number.NaN },
    ...{
      settle_ms: settle_ms ?? Number.NaN,
      look_again_ms: look_again_ms ?? Number.NaN,
      lease_ms: lease_ms ?? Number.NaN,
    },
  }
}

/** The platform's connection settings. The secret is write-only. */
export function ConnectionPart({ platform }: { platform: Platform }) {
  const { t } = useTranslation()
  const isMt5 = platform.type === 'mt5'
  const labels = labelsOf(isMt5)
  const form = usePlatformForm(platform, labels, valuesOf, (values, version) =>
    call(connectPlatform, { id: platform._id, version, ...bodyOf(values, isMt5) }),
  )
  const { values, change, errorOf } = form
  const whole = (name: Whole) => ({
    label: t(labels[name]),
    value: values[name],
    error: errorOf(name),
    onChange: (value: number | null) => change({ [name]: value }),
  })
  const field = (name: Exclude<keyof Values, 'enabled' | Whole>) => ({
    label: t(labels[name]),
    value: values[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      <SavedForm
        title={t('Connection')}
        help={t('Changes here ask you to confirm that it is you. They take effect for everybody at once.')}
        form={form}
      >
        {platform.is_simulated && (
          <Callout meaning="blue">{t('This is the demo\u2019s simulator. It moves no real money.')}</Callout>
        )}
        <Switch
          label={t(labels.enabled)}
          description={t('When off, it is not queried and not offered; its accounts keep their last known balances.')}
          checked={values.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <TextInput
          description={t('With the port, if it is not the default: https://mt5.example.com:443')}
          charsMax={300}
          {...field('base_url')}
        />
        {isMt5 && <TextInput charsMax={20} inputMode="numeric" {...field('manager_login')} />}
        <PasswordInput
          description={
            platform.connection
              ? t('Stored encrypted and never shown. Leave it empty to keep it; a new address needs it again.')
              : t('Stored encrypted and never shown.')
          }
          autoComplete="new-password"
          charsMax={512}
          {...field('secret')}
        />
        {isMt5 && (
          <div className={rows.pair}>
            <TextInput placeholder={t('Europe/Athens')} charsMax={64} {...field('time_zone')} />
            <NumberField {...whole('time_zone_shift_minutes')} />
          </div>
        )}
        <div className={rows.pair}>
          <NumberField {...whole('connect_ms')} />
          <NumberField {...whole('read_ms')} />
          <NumberField {...whole('write_ms')} />
        </div>
        <NumberField
          description={t(
            'After an unanswered request, the platform may still execute the operation during this time. Use at least 180,000 for MetaTrader 5; otherwise the operation could be executed twice.',
          )}
          {...whole('settle_ms')}
        />
        <div className={rows.pair}>
          <NumberField
            description={t('Pause between the two searches. An operation is sent again only if both find nothing.')}
            {...whole('look_again_ms')}
          />
          <NumberField description={t('Longer than the connect and write timeouts together.')} {...whole('lease_ms')} />
        </div>
        <TextInput description={t('If it differs from the address.')} charsMax={253} {...field('server_name')} />
        <Textarea
          description={t('For a server with a self-signed certificate, in PEM.')}
          autosize
          minRows={2}
          maxRows={6}
          charsMax={20_000}
          {...field('ca_pem')}
        />
      </SavedForm>
      <TryPlatform platform={platform} isDirty={form.isDirty} />
    </>
  )
}
