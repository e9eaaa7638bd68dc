import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { makePasskey } from './passkey-browser.ts'
import { type Added, useSecurityApi } from './security-api.tsx'
import parts from './totp-dialog.module.css'

/** Asks for a name first, to distinguish several passkeys; then the device verifies its owner. */
export function PasskeySetup({ onAdded }: { onAdded: (answer: Added) => void }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const adding = useMutation({
    mutationFn: async (chosen: string) => {
      const passkey = await makePasskey(await api.startPasskey())
      return api.addPasskey({ name: chosen, passkey })
    },
    onSuccess: onAdded,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (adding.isPending) return
    setMissing(name.trim() === '')
    if (name.trim() !== '') adding.mutate(name.trim())
  }
  const problem = isMissing ? texts.passkeyNameMissing : adding.error?.message
  return (
    <form className={parts.steps} onSubmit={submit} noValidate aria-label={t('Add a passkey')}>
      <p>{t('A passkey is kept by your device and opened with your fingerprint, face or PIN. Nobody can phish it.')}</p>
      <TextInput
        label={t('Name of the passkey')}
        description={t('For example: Work laptop.')}
        name="passkey-name"
        autoComplete="off"
        data-autofocus
        required
        withAsterisk={false}
        charsMax={limits.passkeyNameCharsMax}
        value={name}
        error={problem && t(problem)}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setMissing(false)
        }}
      />
      <Button type="submit" fullWidth loading={adding.isPending}>
        {t('Create the passkey')}
      </Button>
    </form>
  )
}
