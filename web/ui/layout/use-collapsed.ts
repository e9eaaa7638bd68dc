import { useStoredChoice } from '../fields/use-stored-choice.ts'
import { useIsWide } from './use-is-phone.ts'

export type Collapsed = { isCollapsed: boolean; isRoomy: boolean; toggle: () => void }

/** Whether the sidebar is collapsed to icons; stored in this browser under the app's own key. */
export function useCollapsed(key: string): Collapsed {
  const [isCollapsedByChoice, setCollapsed] = useStoredChoice(key, false)
  // Narrow windows always collapse it, whatever the stored choice.
  const isRoomy = useIsWide()
  const isCollapsed = isCollapsedByChoice || !isRoomy
  return { isCollapsed, isRoomy, toggle: () => setCollapsed(!isCollapsedByChoice) }
}
