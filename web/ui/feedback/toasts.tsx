import './toast-styles.ts'
import { Notifications } from '@mantine/notifications'
import { useIsPhone } from '../layout/use-is-phone.ts'

export function Toasts() {
  const isPhone = useIsPhone()
  return <Notifications position={isPhone ? 'top-center' : 'bottom-right'} limit={3} />
}
