import { addPlayground } from './add-playground.ts'
import { removePlayground } from './remove-playground.ts'

export const playgroundRoutes = [addPlayground, removePlayground]
