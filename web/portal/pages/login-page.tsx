import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { settingsQuery } from '../../features/session/settings-query.ts'
import { SignInScreen, type View } from '../sign-in-screen.tsx'

/** Sign-in within the portal, after a session has ended there. A direct visit gets a separate page (sign-in.tsx). */
export function LoginPage({ opensOn = 'sign-in' }: { opensOn?: View }) {
  const router = useRouter()
  const { data: settings } = useQuery(settingsQuery)
  return <SignInScreen opensOn={opensOn} settings={settings} onGo={(href) => router.navigate({ href })} />
}

export function ForgotPasswordPage() {
  return <LoginPage opensOn="reset" />
}
