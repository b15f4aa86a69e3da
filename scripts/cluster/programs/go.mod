module aardappel/cluster/programs

go 1.25
