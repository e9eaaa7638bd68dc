import { Drawer, type DrawerProps } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import { useIsTopDialog } from './open-dialogs.ts'

/** A dialog at the side of the screen, or from below on a phone. */
export function Sheet({ closeOnEscape = true, ...props }: DrawerProps) {
  const { t } = useTranslation()
  const isTop = useIsTopDialog(props.opened)
  return <Drawer closeButtonProps={{ 'aria-label': t('Close') }} {...props} closeOnEscape={closeOnEscape && isTop} />
}
