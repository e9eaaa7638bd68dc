/** Texts about tickets, verbatim from the specification where it has one. The English text is the key. */
export const ticketTexts = {
  created: 'The Ticket was created successfully',
  updated: 'Complaint {{ticket}} updated successfully',
  resolved: 'Ticket {{ticket}} resolved successfully',
  notUpdated: 'Unable to update ticket',
  listNotLoaded: 'Unable to load ticket listing',
  messageMissing: 'Message content is required',
  attachmentAdded: 'Attachment added successfully',
  attachmentUnknown: 'Please upload the file again.',
  modelUnknown: 'A ticket cannot be about this item.',
  goesOn: 'This conversation continues in ticket {{ticket}}. Please write there.',
  full: 'This conversation has reached its maximum length. Please create a new ticket.',
} as const
