import { mount, Root } from '../ui/root.tsx'
import { EmptyState } from '../ui/state.tsx'

mount(
  <Root accent={undefined}>
    <EmptyState drawing="soon" title="Desk" />
  </Root>,
)
