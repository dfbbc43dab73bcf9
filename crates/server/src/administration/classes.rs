//! Classes: listing them, renaming one, and giving one to another teacher.

use adoube_protocol::{AccountState, ClassList, HouseClass, PlayerId, Role};
use adoube_store::{AdminChange, Class, ClassSummary, Member};

use super::{Administration, Plan, house, pupil_names::shortened, pupils::RefusedPupils};
use crate::error::Error;

/// The maximum number of characters in the name of a class.
const MAX_CLASS_NAME_CHARS: usize = 40;

/// Returns the name of a class as it is stored.
pub(super) fn checked_class_name(name: &str) -> Result<String, Error> {
    let name = house::line(name, MAX_CLASS_NAME_CHARS).filter(|name| !name.is_empty());
    name.ok_or(Error::HouseText { field: "class name", limit: MAX_CLASS_NAME_CHARS })
}

pub(super) fn house_class(found: ClassSummary, teacher: Option<String>) -> HouseClass {
    HouseClass { name: found.class.name, teacher, pupils: found.pupils, pupil: found.pupil }
}

impl Administration {
    /// Lists all classes, by name.
    pub(super) async fn classes(&self) -> Result<ClassList, Error> {
        let found = self.parts.store.list_classes().await?;
        let mut classes = Vec::with_capacity(found.len());
        for class in found {
            let teacher = self.name_of(Some(&class.class.teacher)).await?;
            classes.push(house_class(class, teacher));
        }
        classes.sort_by(|one: &HouseClass, other| {
            (&one.name, &one.teacher, &one.pupil).cmp(&(&other.name, &other.teacher, &other.pupil))
        });
        Ok(ClassList { classes })
    }

    /// Returns the class of a pupil.
    pub(super) async fn class_of(&self, pupil: &str) -> Result<Class, Error> {
        let member = self.parts.store.lookup_member(pupil, self.parts.clock.now()).await?;
        let Member { name, membership, .. } =
            member.ok_or_else(|| Error::AccountNotFound(shortened(pupil)))?;
        let class = membership.teacher.zip(membership.class).map(|(teacher, name)| Class { name, teacher });
        class.ok_or_else(|| Error::Pupils(RefusedPupils { others: vec![name], ..RefusedPupils::default() }))
    }

    /// Returns the account with this name. Fails unless it is the open account of a teacher or an
    /// administrator.
    pub(super) async fn teacher(&self, name: &str) -> Result<PlayerId, Error> {
        let member = self.parts.store.lookup_member(name, self.parts.clock.now()).await?;
        let member = member.ok_or_else(|| Error::AccountNotFound(shortened(name)))?;
        let teaches = matches!(member.membership.role, Some(Role::Administrator | Role::Teacher))
            && member.membership.state == AccountState::Open;
        teaches.then_some(member.player).ok_or(Error::NotATeacher)
    }

    pub(super) async fn plan_class(
        &self,
        pupil: &str,
        class: &str,
        to: &str,
        name: Option<&str>,
    ) -> Result<Plan, Error> {
        let from = self.class_of(pupil).await?;
        if from.name != class {
            return Err(Error::ClassNotFound);
        }
        let to = self.teacher(to).await?;
        let name = name.map_or_else(|| Ok(from.name.clone()), checked_class_name)?;
        let accounts = vec![from.teacher.clone(), to.clone()];
        let mut plan = Plan::new(AdminChange::GiveClass { class: from.clone(), to, name: name.clone() })
            .with_target(&from.name);
        if name != from.name {
            plan = plan.with_detail("name", &name);
        }
        Ok(Plan { accounts, ..plan })
    }
}
