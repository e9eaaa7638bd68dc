import { useLocalStorage } from '@mantine/hooks'
import { useIsWide } from './use-is-phone.ts'

export type Folding = { isFolded: boolean; isRoomy: boolean; toggle: () => void }

/** Whether the sidebar shows icons alone; what somebody chose is remembered in this browser, by the app's own name. */
export function useFolding(key: string): Folding {
  const [isFoldedByChoice, setFolded] = useLocalStorage({ key, defaultValue: false, getInitialValueInEffect: false })
  // Small desktops and tablets have no room for words beside the work, whatever was chosen on a large one.
  const isRoomy = useIsWide()
  const isFolded = isFoldedByChoice || !isRoomy
  return { isFolded, isRoomy, toggle: () => setFolded(!isFoldedByChoice) }
}
