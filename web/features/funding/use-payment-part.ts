import { useQuery } from '@tanstack/react-query'
import { inSectionTime } from '../../api/section.ts'

/** The fields and rules of a deposit through a provider, with all telephone numbering plans; loaded when one is chosen. */
export function usePaymentPart({ isAsked }: { isAsked: boolean }) {
  return useQuery({
    queryKey: ['payment-part'],
    queryFn: () => inSectionTime(() => import('./payment-part.ts')),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}
