import { addDomain } from './add-domain.ts'
import { removeDomain } from './remove-domain.ts'
import { updateDomain } from './update-domain.ts'

export const domainRoutes = [addDomain, updateDomain, removeDomain]
