import { useNavigate } from '@tanstack/react-router'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { placesOf } from '../navigation.ts'

/** `g` and a letter open a place from any screen. */
export function useNavigationKeys(): void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const places = placesOf(useDeskUser().type).flatMap((group) => group.places)
  useKeys(
    t('General'),
    places.map(({ key, label, to }) => ({ keys: `g ${key}`, label, act: () => navigate({ to }) })),
  )
}
