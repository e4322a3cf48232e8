# The Ansible collection spile.fleet; included by the top Makefile.am. Ansible finds it in this directory of the system.

collectiondir = $(datadir)/ansible/collections/ansible_collections/spile/fleet
dist_collection_DATA = ansible/README.md ansible/galaxy.yml
collectionmetadir = $(collectiondir)/meta
dist_collectionmeta_DATA = ansible/meta/runtime.yml
collectionactiondir = $(collectiondir)/plugins/action
dist_collectionaction_DATA = ansible/plugins/action/bundle.py
collectionmoduledir = $(collectiondir)/plugins/modules
dist_collectionmodule_DATA = ansible/plugins/modules/bundle.py
collectionplaydir = $(collectiondir)/playbooks
dist_collectionplay_DATA = ansible/playbooks/facts.yml ansible/playbooks/report.yml
