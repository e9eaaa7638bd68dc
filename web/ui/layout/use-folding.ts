import { useLocalStorage } from '@mantine/hooks'
import { useIsWide } from './use-is-phone.ts'

export type Folding = { isFolded: boolean; isRoomy: boolean; toggle: () => void }

/** Whether the sidebar is collapsed to icons; stored in this browser under the app's own key. */
export function useFolding(key: string): Folding {
  const [isFoldedByChoice, setFolded] = useLocalStorage({ key, defaultValue: false, getInitialValueInEffect: false })
  // Narrow windows always collapse it, whatever the stored choice.
  const isRoomy = useIsWide()
  const isFolded = isFoldedByChoice || !isRoomy
  return { isFolded, isRoomy, toggle: () => setFolded(!isFoldedByChoice) }
}
