import type { DrawerProps, ModalProps } from '@mantine/core'
import {
  type ComponentType,
  cloneElement,
  lazy,
  type ReactElement,
  Suspense,
  startTransition,
  useEffect,
  useState,
} from 'react'

/** When the page itself is there. */
const fetchAfterMs = 1_500

/** Has the code of a part here before it is asked for: whoever is offline by then still signs out, and nobody waits for a menu. */
export function useFetchedLater(fetch: () => Promise<unknown>): void {
  useEffect(() => {
    // One that fails here is fetched again with the first use, which says so where it fails too.
    const timer = setTimeout(() => fetch().catch(() => undefined), fetchAfterMs)
    return () => clearTimeout(timer)
  }, [fetch])
}

/** False at first: only a part that sees itself being opened knows where the focus goes back to. */
function useIsThere(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return isThere
}

/** Code of its own, by how it is fetched. */
type LatePart<Props> = { fetch: () => Promise<unknown>; Part: ComponentType<Props> }

export const latePart = <Props,>(fetch: () => Promise<ComponentType<Props>>): LatePart<Props> => ({
  fetch,
  Part: lazy(async () => ({ default: await fetch() })) as unknown as ComponentType<Props>,
})

type Openable = { opened: boolean }
type LateProps<Props> = { part: LatePart<Props>; props: Props }

/** A dialog or a sheet that no first load brings: it is there from its first opening on, and opens as it always does. */
export function Late<Props extends Openable>({ part, props }: LateProps<Props>) {
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  useFetchedLater(part.fetch)
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <Opening part={part} props={props} />
    </Suspense>
  )
}

function Opening<Props extends Openable>({ part: { Part }, props }: LateProps<Props>) {
  const isThere = useIsThere()
  return <Part {...props} opened={props.opened && isThere} />
}

export type Around = {
  /** A button. */
  trigger: ReactElement<Record<string, unknown>>
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
}
type LateAroundProps<Props> = LateProps<Props> & { popup: 'menu' | 'dialog' }

/**
 * What a button opens beside itself, with the library that places it: until its first use the button stands alone. Then it stands
 * there anew, and has the focus that it had.
 */
export function LateAround<Props extends Around>({ popup, part, props }: LateAroundProps<Props>) {
  const { trigger, isOpen, setOpen } = props
  const [isNeeded, setNeeded] = useState(false)
  useFetchedLater(part.fetch)
  const open = () => {
    startTransition(() => setNeeded(true))
    setOpen(true)
  }
  const alone = { 'aria-haspopup': popup, 'aria-expanded': isOpen, onClick: open }
  return (
    <Suspense fallback={trigger}>
      {isNeeded ? <OpeningAround part={part} props={props} /> : cloneElement(trigger, alone)}
    </Suspense>
  )
}

function OpeningAround<Props extends Around>({ part: { Part }, props }: LateProps<Props>) {
  const isThere = useIsThere()
  return <Part {...props} trigger={cloneElement(props.trigger, { autoFocus: true })} isOpen={props.isOpen && isThere} />
}

const overlays = () => import('./overlays.ts')
const drawer = latePart<DrawerProps>(async () => (await overlays()).Drawer)
const modal = latePart<ModalProps>(async () => (await overlays()).Modal)

export const LateDrawer = (props: DrawerProps) => <Late part={drawer} props={props} />
export const LateModal = (props: ModalProps) => <Late part={modal} props={props} />
