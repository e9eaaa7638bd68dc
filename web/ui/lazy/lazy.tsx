import { texts } from '@atrium/contract/texts.ts'
import type { DrawerProps, ModalProps } from '@mantine/core'
import {
  type ComponentType,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
} from 'react'
import { toast } from '../feedback/toast.ts'
import { i18n } from '../text/i18n.ts'
import { type Part, usePart } from './use-part.ts'

/** After the page itself has loaded. */
const fetchAfterMs = 1_500

/** Prefetches the code of a part, so that sign-out works offline and menus open without delay. */
function useFetchedLater(fetch: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      // Some browsers cache a failed import while the page is open, so no import starts while offline.
      if (!navigator.onLine) return
      // A failed prefetch is repeated on first use, which reports its own failure.
      fetch().catch(() => undefined)
    }, fetchAfterMs)
    return () => clearTimeout(timer)
  }, [fetch])
}

/** False on the first render: a part must see itself open to record which element gets the focus back. */
function useIsThere(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return isThere
}

export const notifyMissing = (): void => void toast.refused(i18n.t(texts.sectionMissing))

type Openable = { opened: boolean }
type LazyProps<Props> = {
  part: Part<Props>
  props: Props
  /** Closes the part that could not load, so that the next press tries again. Without it the nearest error screen appears. */
  onMissing?: () => void
}

/** A dialog or sheet outside the first load: rendered from its first opening on, with its usual opening transition. */
export function Lazy<Props extends Openable>({ part, props, onMissing }: LazyProps<Props>) {
  const component = usePart(part, { isAsked: props.opened, ...(onMissing && { onMissing }) })
  useFetchedLater(part)
  if (!component) return null
  return (
    <Suspense fallback={null}>
      <Opening component={component} props={props} />
    </Suspense>
  )
}

type OpeningProps<Props> = { component: ComponentType<Props>; props: Props }

function Opening<Props extends Openable>({ component: Component, props }: OpeningProps<Props>) {
  const isThere = useIsThere()
  return <Component {...props} opened={props.opened && isThere} />
}

export type Around = {
  /** A button. */
  trigger: ReactElement<Record<string, unknown>>
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}
type LazyAroundProps<Props> = { popup: 'menu' | 'dialog'; part: Part<Props>; props: Props }

/**
 * A button with a popup whose positioning library is loaded on first use. Until then only the button renders; it is then
 * rendered again with the popup and regains the focus.
 */
export function LazyAround<Props extends Around>({ popup, part, props }: LazyAroundProps<Props>) {
  const { trigger, isOpen, setOpen } = props
  const component = usePart(part, {
    isAsked: isOpen,
    onMissing: () => {
      setOpen(false)
      notifyMissing()
    },
  })
  useFetchedLater(part)
  const alone = { 'aria-haspopup': popup, 'aria-expanded': isOpen, onClick: () => setOpen(true) }
  return (
    <Suspense fallback={trigger}>
      {component ? <OpeningAround component={component} props={props} /> : cloneElement(trigger, alone)}
    </Suspense>
  )
}

function OpeningAround<Props extends Around>({ component: Component, props }: OpeningProps<Props>) {
  const isThere = useIsThere()
  return (
    <Component {...props} trigger={cloneElement(props.trigger, { autoFocus: true })} isOpen={props.isOpen && isThere} />
  )
}

const overlays = () => import('./overlays.ts')
const drawer = async () => (await overlays()).Drawer as ComponentType<DrawerProps>
const modal = async () => (await overlays()).Modal as ComponentType<ModalProps>

export function LazyDrawer(props: DrawerProps) {
  const giveUp = () => {
    props.onClose()
    notifyMissing()
  }
  return <Lazy part={drawer} props={props} onMissing={giveUp} />
}

/** For terms that cannot be closed: if it cannot load, an error screen replaces the content it blocks. */
export const LazyModal = (props: ModalProps) => <Lazy part={modal} props={props} />

/**
 * Renders a frame in slices between which the page reacts to input; the router renders what it has loaded at once, which holds a
 * slow phone for half a second. Only while the outline of a first visit covers the page: otherwise the page would be empty
 * meanwhile, and a reload would find nothing to scroll.
 */
export function InSlices({ children }: { children: ReactNode }) {
  const [isCovered] = useState(() => document.querySelector('.first-paint') !== null && isFirstVisit())
  return useDeferredValue(true, !isCovered) && children
}

function isFirstVisit(): boolean {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return arrival?.type === 'navigate'
}
