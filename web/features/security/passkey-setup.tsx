import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { makePasskey } from './passkey-browser.ts'
import { type Added, useSecurityApi } from './security-api.tsx'
import parts from './totp-dialog.module.css'

const labels = { name: 'Passkey name' }

/** Asks for a name first, to distinguish several passkeys; then the device verifies its owner. */
export function PasskeySetup({ onAdded }: { onAdded: (answer: Added) => void }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const form = useCallForm({
    start: { name: '' },
    labels,
    check: ({ name }) => (name.trim() === '' ? { name: [texts.passkeyNameMissing] } : {}),
    send: async ({ name }) => {
      const passkey = await makePasskey(await api.startPasskey())
      return api.addPasskey({ name: name.trim(), passkey })
    },
    onDone: onAdded,
  })
  return (
    <form
      ref={form.element}
      className={parts.steps}
      data-stack="lg"
      onSubmit={form.onSubmit}
      noValidate
      aria-label={t('Add a passkey')}
    >
      <p>
        {t(
          'A passkey is stored on your device and unlocked with your fingerprint, face or PIN. It protects you from phishing.',
        )}
      </p>
      <TextInput
        label={t(labels.name)}
        description={t('For example: Work laptop.')}
        name="passkey-name"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        charsMax={limits.passkeyNameCharsMax}
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button type="submit" fullWidth loading={form.isSubmitting}>
        {t('Create the passkey')}
      </Button>
    </form>
  )
}
