import type { CallAnswer } from '@atrium/contract/call.ts'
import type { signIn } from '@atrium/contract/sessions/calls.ts'
import { Button } from '@mantine/core'
import { ApiError } from '../../api/api-error.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { FactorForm } from './factor-form.tsx'
import type { GivenProof } from './security-api.tsx'

type Asked = Extract<CallAnswer<typeof signIn>, { status: 'second_factor_required' }>['second_factor']

type SecondStepProps = {
  asked: Asked
  finish: (given: GivenProof & { challenge: string }) => Promise<void>
  onSignedIn: () => void
  /** Also called when the challenge has expired, with that reason: then the password is required again. */
  onBack: (why?: string) => void
}

/** The second factor, between the password and the session. */
export function SecondStep({ asked, finish, onSignedIn, onBack }: SecondStepProps) {
  const { t } = useTranslation()
  const goBackWhenOver = (error: Error) => {
    const isOver = error instanceof ApiError && error.code === 'sign_in_failed'
    if (isOver) onBack(t(error.message))
    return isOver
  }
  return (
    <div>
      <FactorForm
        label={t('Confirm that it is you')}
        action={t('Continue')}
        methods={asked.methods}
        request={async () => asked.passkey ?? Promise.reject(new Error('There is no passkey.'))}
        send={(given) => finish({ ...given, challenge: asked.challenge })}
        onDone={onSignedIn}
        onRefused={goBackWhenOver}
      />
      <Button variant="subtle" fullWidth mt="xs" onClick={() => onBack()}>
        {t('Back to sign in')}
      </Button>
    </div>
  )
}
