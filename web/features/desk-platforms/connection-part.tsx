import { connectPlatform } from '@atrium/contract/desk-platforms.ts'
import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/transport.ts'
import rows from '../../ui/desk-rows.module.css'
import { SavedForm } from '../../ui/saved-form.tsx'
import { Callout } from '../../ui/state.tsx'
import { TryPlatform } from './try-platform.tsx'
import { type Platform, usePlatformForm } from './use-platforms.ts'

type Values = {
  enabled: boolean
  base_url: string
  manager_login: string
  secret: string
  time_zone: string
  time_zone_shift_minutes: string
  ca_pem: string
  server_name: string
  connect_ms: string
  read_ms: string
  write_ms: string
  settle_ms: string
  look_again_ms: string
  lease_ms: string
}

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
    time_zone_shift_minutes: String(connection?.time_zone_shift_minutes ?? 0),
    ca_pem: connection?.ca_pem ?? '',
    server_name: connection?.server_name ?? '',
    connect_ms: String(connection?.connect_ms ?? usual.connect_ms),
    read_ms: String(connection?.read_ms ?? usual.read_ms),
    write_ms: String(connection?.write_ms ?? usual.write_ms),
    settle_ms: String(connection?.settle_ms ?? usual.settle_ms),
    look_again_ms: String(connection?.look_again_ms ?? usual.look_again_ms),
    lease_ms: String(connection?.lease_ms ?? usual.lease_ms),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
/** What is no number is the server's to refuse. */
const whole = (text: string) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN)

function bodyOf(values: Values, isMt5: boolean) {
  const { enabled, base_url, connect_ms, read_ms, write_ms, settle_ms, look_again_ms, lease_ms } = values
  return {
    ...{ enabled, base_url, secret: orNull(values.secret), server_name: orNull(values.server_name) },
    ca_pem: orNull(values.ca_pem),
    manager_login: isMt5 ? values.manager_login : null,
    time_zone: isMt5 ? values.time_zone : null,
    time_zone_shift_minutes: isMt5 ? whole(values.time_zone_shift_minutes) : null,
    ...{ connect_ms: whole(connect_ms), read_ms: whole(read_ms), write_ms: whole(write_ms) },
    ...{ settle_ms: whole(settle_ms), look_again_ms: whole(look_again_ms), lease_ms: whole(lease_ms) },
  }
}

/** How the platform is reached. The secret is written here and never read again. */
export function ConnectionPart({ platform }: { platform: Platform }) {
  const { t } = useTranslation()
  const isMt5 = platform.type === 'mt5'
  const form = usePlatformForm(platform, valuesOf, (values, version) =>
    call(connectPlatform, { id: platform._id, version, ...bodyOf(values, isMt5) }),
  )
  const { values, change, errorOf } = form
  const field = (name: Exclude<keyof Values, 'enabled'>) => {
    const words = errorOf(name)
    return {
      value: values[name],
      error: words && t(words),
      onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
    }
  }
  return (
    <>
      <SavedForm
        title={t('Connection')}
        help={t('Changes here ask you to confirm that it is you. They count for everybody at once.')}
        form={form}
      >
        {platform.is_simulated && (
          <Callout meaning="blue">{t('This is the demo\u2019s simulator: it moves no money of anybody.')}</Callout>
        )}
        <Switch
          label={t('Switched on')}
          description={t('Off, nothing is asked of it or offered on it; its accounts keep the figures last known.')}
          checked={values.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <TextInput
          label={isMt5 ? t('Access server') : t('Bridge')}
          description={t('With its port, if it is not the usual one: https://mt5.example.com:443')}
          maxLength={300}
          {...field('base_url')}
        />
        {isMt5 && (
          <TextInput label={t('Manager login')} maxLength={20} inputMode="numeric" {...field('manager_login')} />
        )}
        <PasswordInput
          label={isMt5 ? t('API password') : t('Bridge token')}
          description={
            platform.connection
              ? t('Kept sealed and never shown. Leave it empty to keep it; a new address needs it again.')
              : t('Kept sealed and never shown.')
          }
          autoComplete="new-password"
          maxLength={512}
          {...field('secret')}
        />
        {isMt5 && (
          <div className={rows.pair}>
            <TextInput
              label={t('Platform time zone')}
              placeholder={t('Europe/Athens')}
              maxLength={64}
              {...field('time_zone')}
            />
            <TextInput label={t('Ahead of it, in minutes')} maxLength={4} {...field('time_zone_shift_minutes')} />
          </div>
        )}
        <div className={rows.pair}>
          <TextInput label={t('Connect, ms')} inputMode="numeric" maxLength={6} {...field('connect_ms')} />
          <TextInput label={t('Read, ms')} inputMode="numeric" maxLength={6} {...field('read_ms')} />
          <TextInput label={t('Write, ms')} inputMode="numeric" maxLength={6} {...field('write_ms')} />
        </div>
        <TextInput
          label={t('Settling after a lost answer, ms')}
          description={t(
            'So long after a send that nobody answered, nothing is taken for not there. Below 180,000 a MetaTrader 5 server may still carry it out, and it would be sent twice.',
          )}
          inputMode="numeric"
          maxLength={7}
          {...field('settle_ms')}
        />
        <div className={rows.pair}>
          <TextInput
            label={t('Between two looks, ms')}
            description={t('Both must find nothing.')}
            inputMode="numeric"
            maxLength={6}
            {...field('look_again_ms')}
          />
          <TextInput
            label={t('Lease of a send, ms')}
            description={t('Longer than connecting and writing together.')}
            inputMode="numeric"
            maxLength={6}
            {...field('lease_ms')}
          />
        </div>
        <TextInput
          label={t('Name in the certificate')}
          description={t('Where it is not that of the address.')}
          maxLength={253}
          {...field('server_name')}
        />
        <Textarea
          label={t('Own certificate')}
          description={t('For a server whose certificate nobody else signed, in PEM.')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={20_000}
          {...field('ca_pem')}
        />
      </SavedForm>
      <TryPlatform platform={platform} isDirty={form.isDirty} />
    </>
  )
}
