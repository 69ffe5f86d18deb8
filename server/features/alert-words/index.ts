import { addAlertWords } from './add-alert-words.ts'
import { getAlertWords } from './get-alert-words.ts'
import { removeAlertWords } from './remove-alert-words.ts'

export const alertWordRoutes = [getAlertWords, addAlertWords, removeAlertWords]
