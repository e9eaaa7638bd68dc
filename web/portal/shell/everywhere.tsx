import { useWindowEvent } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useState } from 'react'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { type ComplaintAbout, generalComplaint } from '../../features/tickets/complaint.ts'
import { notifyMissing } from '../../ui/lazy/lazy.tsx'
import { usePart } from '../../ui/lazy/use-part.ts'
import { type Place, searchablePlaces } from '../menu.ts'

const fetchSearch = async () => (await import('../../features/search/search-dialog.tsx')).SearchDialog
const fetchComplaint = async () => (await import('../../features/tickets/complaint-dialog.tsx')).ComplaintDialog

type Everywhere = {
  openSearch: () => void
  /** Null when the member cannot open tickets. */
  openComplaint: (() => void) | null
  /** The same with a subject. */
  openComplaintAbout: ((about: ComplaintAbout) => void) | null
  /** True when the page has its own complaint button, so that the frame hides its own. */
  hasOwnComplaint: boolean
  /** For `useOwnComplaint`: counts the complaint buttons of the page. */
  countOwnComplaint: (step: 1 | -1) => void
}

const EverywhereContext = createContext<Everywhere>({
  openSearch: () => undefined,
  openComplaint: null,
  openComplaintAbout: null,
  hasOwnComplaint: false,
  countOwnComplaint: () => undefined,
})

/** The dialogs that every page can open. */
export function useEverywhere(): Everywhere {
  return useContext(EverywhereContext)
}

/** Registers the page's own complaint button while mounted, so that the frame does not show a second one. */
export function useOwnComplaint(isOffered: boolean): void {
  const { countOwnComplaint } = useEverywhere()
  useLayoutEffect(() => {
    if (!isOffered) return
    countOwnComplaint(1)
    return () => countOwnComplaint(-1)
  }, [isOffered, countOwnComplaint])
}

/** After the page itself has loaded. */
const fetchSearchAfterMs = 1_500

type Opened = 'search' | 'complaint'

export function EverywhereProvider({ places, children }: { places: Place[]; children: ReactNode }) {
  const router = useRouter()
  const isOpen = useIsOpen()
  const mayOpen = useMayOpen()
  const { member } = useSession()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const onMissing = () => {
    close()
    notifyMissing()
  }
  // Loaded on first use. A failure must not take the page with it, which may hold input.
  const SearchDialog = usePart(fetchSearch, { isAsked: opened === 'search', onMissing })
  const ComplaintDialog = usePart(fetchComplaint, { isAsked: opened === 'complaint', onMissing })
  // Users type directly after the shortcut, so the search is loaded beforehand.
  useEffect(() => {
    // After a failure here, the first use loads it again and reports an error.
    const timer = setTimeout(() => fetchSearch().catch(() => undefined), fetchSearchAfterMs)
    return () => clearTimeout(timer)
  }, [])
  useWindowEvent('keydown', (event) => {
    const isSearchKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSearchKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    // Another dialog is open; the search would cover it.
    if (opened === 'search') close()
    else if (!document.querySelector('[role="dialog"]')) setOpened('search')
  })
  const [about, setAbout] = useState(generalComplaint)
  const [ownComplaints, setOwnComplaints] = useState(0)
  const countOwnComplaint = useCallback((step: 1 | -1) => setOwnComplaints((before) => before + step), [])
  const openComplaintAbout = (what: ComplaintAbout) => {
    setAbout(what)
    setOpened('complaint')
  }
  const complaints = isOpen('support')
    ? { openComplaint: () => openComplaintAbout(generalComplaint), openComplaintAbout }
    : { openComplaint: null, openComplaintAbout: null }
  return (
    <EverywhereContext
      value={{
        openSearch: () => setOpened('search'),
        ...complaints,
        hasOwnComplaint: ownComplaints > 0,
        countOwnComplaint,
      }}
    >
      {children}
      {SearchDialog && (
        <SearchDialog
          isOpen={opened === 'search'}
          onClose={close}
          memberId={member._id}
          pages={searchablePlaces(places, isOpen, mayOpen)}
          onGo={(to) => {
            close()
            router.navigate({ href: to })
          }}
        />
      )}
      {ComplaintDialog && <ComplaintDialog isOpen={opened === 'complaint'} about={about} onClose={close} />}
    </EverywhereContext>
  )
}
