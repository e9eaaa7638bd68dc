export { Dialog as Modal, Sheet as Drawer } from '../feedback/dialog.tsx'
