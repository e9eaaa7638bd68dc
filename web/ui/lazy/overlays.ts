export { Dialog as Modal } from '../feedback/dialog.tsx'
export { Sheet as Drawer } from '../feedback/sheet.tsx'
